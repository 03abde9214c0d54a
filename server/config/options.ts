/**
 * Every option, once. Flags, environment names, file keys and help are all read from this table.
 *
 * `boot` options belong to the operator and hold as long as the process runs. `live` options are
 * seeded from the lower layers at the first start; afterwards they belong to the settings screen.
 */
import { BOOT_OPTIONS } from './boot-options.ts'
import { LIVE_OPTIONS } from './live-options.ts'
import type { Option } from './option.ts'

const ROWS = [...BOOT_OPTIONS, ...LIVE_OPTIONS] as const

export type OptionKey = (typeof ROWS)[number]['key']

export const OPTIONS: readonly Option[] = ROWS

/** The row of a key. @returns undefined for a word that is not an option */
export function findOption(key: string): Option | undefined {
  return OPTIONS.find((option) => isSameName(option.key, key))
}

/** Capitals, dashes and underscores make no difference: `baseURL`, `base-url`, `BASE_URL`. */
export function isSameName(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

function fold(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** `tokenExpirationTime` is the flag `--token-expiration-time`, `branding.name` is `--branding.name`. */
export function flagOf(key: string): string {
  return key.replace('URL', 'Url').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `tokenExpirationTime` is `FILEMGR_TOKEN_EXPIRATION_TIME`, `branding.name` is `FILEMGR_BRANDING_NAME`. */
export function envOf(key: string): string {
  return `FILEMGR_${flagOf(key).replace(/[-.]/g, '_').toUpperCase()}`
}
