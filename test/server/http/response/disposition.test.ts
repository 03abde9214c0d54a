/** The header with the name of a download (RFC 6266). */
import { expect, test } from 'bun:test'
import { disposition } from '#server/http/response/disposition.ts'
import { NASTY_NAMES } from '../../../support/files/tree.ts'

const HEADER = /^attachment; filename="([^"\\]*)"; filename\*=utf-8''([\w.~%-]+)$/

const sent = (name: string) => HEADER.exec(disposition('attachment', name))?.slice(1) ?? []

test.each([
  ['a.txt', 'a.txt'],
  ['r&d 100%.txt', 'r&d 100%.txt'],
  ['café.txt', 'cafe.txt'],
  ['cafe\u0301.txt', 'cafe.txt'],
  ['Grüße.txt', 'Gru_e.txt'],
  ['日本.txt', '__.txt'],
  ['😀.bin', '_.bin'],
  ['it\'s "quoted".txt', "it's _quoted_.txt"],
  ['back\\slash.txt', 'back_slash.txt'],
  ['semi;colon,comma=.txt', 'semi;colon,comma=.txt'],
  // Some clients decode the escapes of a URL.
  ['%2e%2e%2Fa', '_2e_2e_2Fa'],
  ['new\r\nline\0\x7f.txt', 'new__line__.txt'],
  ['\u202egnp.exe', '_gnp.exe'],
  // Canonically equal to an ASCII character.
  ['\u037e\u1fef\u212a', ';`K'],
  // Nothing is left, or a name of a folder.
  ['\u0301', '_'],
  [' ', '_'],
  ['.\u0301', '_'],
  ['..\u0301', '__'],
  ['...', '...'],
])('clients that read only ASCII see %j as %j', (name, ascii) => {
  expect(sent(name)[0]).toBe(ascii)
})

test('every name arrives complete, in a header that it cannot end', () => {
  for (const name of NASTY_NAMES) {
    const [ascii = '', encoded = ''] = sent(name)
    expect(ascii).toMatch(/^[\x20-\x7e]+$/)
    expect(decodeURIComponent(encoded)).toBe(name)
  }
  for (let code = 0; code < 0x3100; code += 1) {
    const name = `a${String.fromCharCode(code)}/../..\\b`
    expect(sent(name)[0]).toMatch(/^[\x20-\x7e]+$/)
    expect(sent(name)[0]).not.toMatch(/[/\\]/)
  }
})

test('a byte that is not UTF-8 is shown by its digits', () => {
  expect(sent('caf\uefe9.txt')).toEqual(['caf_E9.txt', 'caf%25E9.txt'])
})

test('what is displayed has a name, too', () => {
  expect(disposition('inline', 'a.txt')).toBe(`inline; filename="a.txt"; filename*=utf-8''a.txt`)
})
