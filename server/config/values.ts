/** Parses the values of options by their types. */

import { Fault } from '#wire/fault.ts'
import { isLanguage } from '#wire/languages.ts'
import { parseDuration, parseSize } from '#wire/units.ts'
import type { Alias } from './aliases.ts'
import type { Option } from './option.ts'

export type OptionValue = string | number | boolean | string[]

/** The maximum of durations without a range, about 68 years: more does not fit into 32 bits. */
const DURATION_MAX_SEC = 2 ** 31 - 1

/**
 * Parses `written`, a text from a flag or the environment or a value from a file: durations in seconds, sizes in
 * bytes, modes as numbers.
 *
 * @throws Fault badRequest naming the option and the expected value
 */
export function parseValue(option: Option, written: unknown): OptionValue {
  const value = readers[option.type](written)
  if (value === undefined) {
    throw new Fault(
      'badRequest',
      `${option.key} must be ${EXPECTED[option.type]}, not ${show(written)}.`,
    )
  }
  const { range, choices } = option
  if (range && typeof value === 'number' && (value < range[0] || value > range[1])) {
    throw new Fault(
      'badRequest',
      `${option.key} must be from ${range[0]} to ${range[1]}, not ${show(written)}.`,
    )
  }
  if (choices && !choices.some((choice) => choice === value)) {
    const list = choices.map((choice) => choice || '(empty)').join(', ')
    throw new Fault('badRequest', `${option.key} must be one of ${list}, not ${show(written)}.`)
  }
  return value
}

/**
 * Parses the value of an option that may be written with a name of File Browser (`alias`). Such a switch may have the
 * opposite meaning, or select one value of the option. An empty text counts as unset for an option that cannot be empty.
 *
 * @returns undefined if it is unset
 * @throws as `parseValue`
 */
export function parseAliased(
  { option, alias }: { option: Option; alias: Alias | undefined },
  written: unknown,
): OptionValue | undefined {
  if (written === '' && !mayBeEmpty(option)) return undefined
  if (alias?.value !== undefined) {
    const isOn = parseValue({ ...option, type: 'flag', choices: undefined }, written)
    return isOn ? alias.value : undefined
  }
  const value = parseValue(option, written)
  return alias?.isNegated ? !value : value
}

/** Whether a value, as it is written for a flag, means false. */
export function isOff(written: unknown): boolean {
  return readers.flag(written) === false
}

function mayBeEmpty({ type, choices }: Option): boolean {
  return choices ? choices.includes('') : EMPTY_IS_VALUE.includes(type)
}

/** Types for which an empty text is a value. */
const EMPTY_IS_VALUE: readonly Option['type'][] = ['text', 'language', 'list', 'paths']

const EXPECTED: Record<Option['type'], string> = {
  text: 'a text',
  language: 'a language such as en or pt-br',
  number: 'a whole number',
  flag: 'true or false',
  size: 'a size such as 10MB',
  duration: 'a time such as 2h30m',
  mode: 'permission bits such as 0640',
  folderMode: 'permission bits such as 0750 or 02775',
  list: 'a list',
  paths: 'paths such as /scratch, separated by commas',
}

const readers: Record<Option['type'], (written: unknown) => OptionValue | undefined> = {
  text: (written) => (typeof written === 'number' ? String(written) : asText(written)),
  language: (written) => {
    const tag = asText(written)
    return tag !== undefined && isLanguage(tag) ? tag : undefined
  },
  number: (written) => wholeNumber(written),
  flag: (written) => {
    if (typeof written === 'boolean') return written
    const text = asText(written)
    if (text === 'true' || text === '1') return true
    return text === 'false' || text === '0' ? false : undefined
  },
  size: (written) => wholeNumber(written) ?? parseSize(asText(written) ?? ''),
  duration: (written) => {
    const seconds = parseDuration(asText(written) ?? '')
    return seconds === undefined || seconds > DURATION_MAX_SEC ? undefined : seconds
  },
  mode: (written) => parseMode(written, 0o777),
  folderMode: (written) => parseMode(written, 0o3777),
  list: (written) => splitAt(/[\s,]+/, written),
  // A name may contain spaces: `/My files /scratch`.
  paths: (written) => splitAt(/\s*,\s*|\s+(?=\/)/, written),
}

/** @returns undefined if the value is neither a list nor a text */
function splitAt(separator: RegExp, written: unknown): string[] | undefined {
  if (Array.isArray(written)) return written.map(String)
  return asText(written)?.trim().split(separator).filter(Boolean)
}

function asText(written: unknown): string | undefined {
  return typeof written === 'string' ? written : undefined
}

function wholeNumber(written: unknown): number | undefined {
  if (typeof written === 'number') return Number.isSafeInteger(written) ? written : undefined
  return /^\d{1,15}$/.test(asText(written) ?? '') ? Number(written) : undefined
}

/** Parses octal digits, as for chmod. A number from a file is used as it is. */
function parseMode(written: unknown, max: number): number | undefined {
  const mode =
    typeof written === 'number'
      ? written
      : /^0?o?[0-7]{3,4}$/.test(asText(written) ?? '')
        ? Number.parseInt(String(written).replace('o', ''), 8)
        : undefined
  return mode !== undefined && Number.isInteger(mode) && mode >= 0 && mode <= max ? mode : undefined
}

function show(written: unknown): string {
  return typeof written === 'string' ? `"${written}"` : JSON.stringify(written)
}
