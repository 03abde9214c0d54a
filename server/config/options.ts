/**
 * The table of all options. Flags, environment variables, file keys and the help are derived from it.
 *
 * `boot` options are fixed at start. `live` options take their value at the first start from the other layers;
 * afterwards they are changed in the settings.
 */
import { BOOT_OPTIONS } from './boot-options.ts'
import { LIVE_OPTIONS } from './live-options.ts'
import type { Option } from './option.ts'

const ROWS = [...BOOT_OPTIONS, ...LIVE_OPTIONS] as const

export type OptionKey = (typeof ROWS)[number]['key']

export const OPTIONS: readonly Option[] = ROWS

/** @returns the option of a key; undefined if there is none */
export function findOption(key: string): Option | undefined {
  return OPTIONS.find((option) => isSameName(option.key, key))
}

/** Compares names without case, dashes and underscores: `baseURL`, `base-url`, `BASE_URL`. */
export function isSameName(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

function fold(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** `tokenExpirationTime` has the flag `--token-expiration-time`, `branding.name` has `--branding.name`. */
export function flagOf(key: string): string {
  return key.replace('URL', 'Url').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `tokenExpirationTime` has `FILEMGR_TOKEN_EXPIRATION_TIME`, `branding.name` has `FILEMGR_BRANDING_NAME`. */
export function envOf(key: string): string {
  return `FILEMGR_${flagOf(key).replace(/[-.]/g, '_').toUpperCase()}`
}
