/**
 * The table of all options. Flags, environment variables, file keys and the help are derived from it.
 *
 * Startup options are fixed at start. Live options take their value at the first start from the other layers;
 * afterwards they are changed in the settings.
 */

import { LIVE_OPTIONS } from './live-options.ts'
import type { Option } from './option.ts'
import { STARTUP_OPTIONS } from './startup-options.ts'

const ROWS = [...STARTUP_OPTIONS, ...LIVE_OPTIONS] as const

export type OptionKey = (typeof ROWS)[number]['key']

export const OPTIONS: readonly Option[] = ROWS

const OPTION_BY_NAME: ReadonlyMap<string, Option> = byName(OPTIONS, ({ key }) => key)

/** @returns the option of a key; undefined if there is none */
export function findOption(key: string): Option | undefined {
  return OPTION_BY_NAME.get(foldName(key))
}

/** A map of values by their names as `foldName` changes them; of values with the same name, the first. */
export function byName<T>(values: readonly T[], nameOf: (value: T) => string): Map<string, T> {
  return new Map(values.toReversed().map((value) => [foldName(nameOf(value)), value]))
}

/** Names that differ in case, dashes and underscores are the same: `baseURL`, `base-url`, `BASE_URL`. */
export function foldName(name: string): string {
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
