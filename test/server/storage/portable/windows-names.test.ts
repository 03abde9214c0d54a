import { expect, test } from 'bun:test'
import { requireUsableName } from '#server/storage/portable/usable-name.ts'
import { requireWindowsName } from '#server/storage/portable/windows-names.ts'

/** @returns the rule that refuses a name; `allowed` if none does */
function ruleFor(name: string): string {
  try {
    requireWindowsName(name)
    return 'allowed'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('reserved words are refused in any case, with any extension, and with spaces before it', () => {
  for (const name of [
    ...['CON', 'prn', 'Aux', 'nul', 'CONIN$', 'conout$', 'COM0', 'com9', 'LPT1', 'lpt¹', 'COM³'],
    ...['nul.txt', 'con.tar.gz', 'COM1 .log'],
  ]) {
    expect(ruleFor(name), name).toContain('reserves it for a device')
  }
  for (const name of [
    'console',
    'nul-1',
    'com',
    'com10',
    'lpt',
    'auxiliary.txt',
    'a.nul',
    ' nul',
  ]) {
    expect(ruleFor(name), name).toBe('allowed')
  }
})

test('a name cannot end with a dot or a space', () => {
  for (const name of ['a.', 'a ', 'a.txt.', 'a. .', '...', ' ']) {
    expect(ruleFor(name), name).toBe('On Windows a name cannot end with a dot or a space.')
  }
  for (const name of ['.a', ' a', 'a b', '.gitignore', 'a..b'])
    expect(ruleFor(name)).toBe('allowed')
})

test('streams, paths and forbidden characters are refused, and the sentence names the character', () => {
  for (const [name, character] of [
    ['a.txt:stream', ':'],
    ['a.txt::$DATA', ':'],
    ['C:', ':'],
    ['..\\outside', '\\'],
    ['a/b', '/'],
    ['a<b', '<'],
    ['a>b', '>'],
    ['a"b', '"'],
    ['a|b', '|'],
    ['a?', '?'],
    ['*', '*'],
  ] as const) {
    expect(ruleFor(name)).toBe(`On Windows a name cannot contain the character ${character}.`)
  }
  expect(ruleFor('a\nb')).toBe('On Windows a name cannot contain a control character.')
  expect(ruleFor('a\u007f Ünïcödé 日本語 😀')).toBe('allowed')
})

test('the length is counted in units of UTF-16', () => {
  expect(ruleFor('n'.repeat(255))).toBe('allowed')
  expect(ruleFor('n'.repeat(256))).toContain('more than 255 characters')
  expect(ruleFor('😀'.repeat(128))).toContain('more than 255 characters')
})

test('the rules apply where the files are on Windows, and nowhere else', () => {
  expect(() => requireUsableName('nul.txt', 'win32')).toThrow('reserves it for a device')
  expect(() => requireUsableName('..\\outside', 'win32')).toThrow('the character \\')
  for (const name of ['nul.txt', 'a:b', 'a.', 'a\\b']) requireUsableName(name, 'linux')
})
