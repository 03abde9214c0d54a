/** Names of imported files. */
import { expect, test } from 'bun:test'
import { fileNameOf } from '#server/imports/file-name.ts'

const at = (path: string) => new URL(`https://files.test${path}`)

test.each([
  ['/a/b.txt', null, 'b.txt'],
  ['/a/b%20c.txt?x=/y', null, 'b c.txt'],
  ['/', null, 'download'],
  ['/%2e%2e%2f%2e%2e%2fpasswd', null, 'passwd'],
  ['/..%5c..%5cpasswd', null, 'passwd'],
  ['/a', 'attachment; filename="x y.pdf"', 'x y.pdf'],
  ['/a', 'attachment; filename=x.pdf; size=1', 'x.pdf'],
  ['/a', 'attachment; filename=my file.txt ; size=1', 'my file.txt'],
  ['/a', `attachment; filename="no.txt"; filename*=UTF-8''%e2%82%ac.txt`, '€.txt'],
  ['/a', 'attachment; filename="C:\\\\temp\\\\x.exe"', 'x.exe'],
  ['/a', 'attachment; filename=".htaccess"', 'htaccess'],
  ['/a', 'attachment; filename=".filemgr"', 'filemgr'],
  ['/a', 'attachment; filename=".."', 'a'],
  ['/a', 'attachment; filename="x\u0000\u202etxt.exe"', 'xtxt.exe'],
  ['/a', 'attachment; filename=""', 'a'],
  ['/a', 'inline', 'a'],
  // `fetch` reads each byte of a header as one character.
  ['/a', `attachment; filename="${Buffer.from('ä€.txt').toString('latin1')}"`, 'ä€.txt'],
  ['/a', 'attachment; filename="\u00e4.txt"', 'ä.txt'],
])('a file from the URL path %s with the header %p is named %p', (path, disposition, name) => {
  expect(fileNameOf(at(path), disposition)).toBe(name)
})

test('the time for a name does not grow faster than its length', () => {
  const name = fileNameOf(at('/a'), `attachment; filename="a${'.'.repeat(1_000_000)}b"`)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
})

test('a shortened name keeps its extension', () => {
  const name = fileNameOf(at(`/${'é'.repeat(300)}.tar`), null)
  expect(name.endsWith('é.tar')).toBe(true)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
})

test('a shortened name does not end with a dot or a space', () => {
  const name = fileNameOf(
    at(`/${'a'.repeat(215)}${encodeURIComponent(' .'.repeat(20))}${'b'.repeat(40)}`),
    null,
  )
  expect(name).toMatch(/[^. ]$/)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
})
