/** How the written values of options are parsed. */
import { expect, test } from 'bun:test'
import type { Option, OptionType } from '#server/config/option.ts'
import { OPTIONS } from '#server/config/options.ts'
import { parseValue } from '#server/config/values.ts'
import { isFault } from '#wire/fault.ts'

const option = (type: OptionType, more: Partial<Option> = {}): Option => ({
  key: 'port',
  type,
  help: '',
  isLive: false,
  ...more,
})

/** The message of the refusal. */
function refusalOf(row: Option, written: unknown): string {
  try {
    parseValue(row, written)
  } catch (error) {
    if (isFault(error, 'badRequest')) return error.message
    throw error
  }
  return 'is accepted'
}

test.each<[OptionType, unknown, unknown]>([
  ['text', 'a b', 'a b'],
  ['text', 7, '7'],
  ['text', '', ''],
  ['language', 'pt-br', 'pt-br'],
  ['number', '8080', 8080],
  ['number', 8080, 8080],
  ['flag', 'true', true],
  ['flag', '0', false],
  ['flag', false, false],
  ['size', '10MB', 10 * 1024 * 1024],
  ['size', '4096', 4096],
  ['size', 0, 0],
  ['duration', '2h30m', 9000],
  ['mode', '0640', 0o640],
  ['mode', '750', 0o750],
  ['mode', 0o600, 0o600],
  ['folderMode', '02775', 0o2775],
  ['folderMode', '0o750', 0o750],
  ['list', 'git, ls  cat', ['git', 'ls', 'cat']],
  ['list', ['git', 7], ['git', '7']],
  ['list', '', []],
  ['paths', '/My files, /scratch /a', ['/My files', '/scratch', '/a']],
])('an option of the type %s parses %j as %j', (type, written, value) => {
  expect(parseValue(option(type), written)).toEqual(value as never)
})

test.each<[OptionType, unknown]>([
  ['text', true],
  ['language', 'klingon'],
  ['number', '80.5'],
  ['number', '-1'],
  ['number', ''],
  ['number', 2 ** 60],
  ['flag', 'yes'],
  ['flag', 'constructor'],
  ['flag', 1],
  ['size', '10 apples'],
  ['duration', '100y'],
  ['duration', ''],
  ['mode', '0999'],
  ['mode', 0o1777],
  ['mode', '4755'],
  ['mode', '02750'],
  ['folderMode', '04755'],
  ['list', 7],
])('an option of the type %s refuses %j, and the message names the option', (type, written) => {
  expect(refusalOf(option(type), written)).toStartWith('port must be ')
})

test('a number outside its range is refused with the range', () => {
  const port = option('number', { range: [0, 65_535] })
  expect([parseValue(port, '0'), parseValue(port, '65535')]).toEqual([0, 65_535])
  expect(refusalOf(port, '65536')).toBe('port must be from 0 to 65535, not "65536".')
})

test('an invalid choice is refused, and the message lists the choices', () => {
  const theme = option('text', { key: 'branding.theme', choices: ['', 'light', 'dark'] })
  expect(parseValue(theme, '')).toBe('')
  expect(refusalOf(theme, 'blue')).toBe(
    'branding.theme must be one of (empty), light, dark, not "blue".',
  )
})

test('the default of every option is a valid value', () => {
  const defaults = OPTIONS.filter((row) => row.default !== undefined)
  expect(defaults.length).toBeGreaterThan(50)
  for (const row of defaults) expect(refusalOf(row, row.default)).toBe('is accepted')
})
