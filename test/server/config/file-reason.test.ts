import { expect, test } from 'bun:test'
import { reasonOf } from '#server/config/file-reason.ts'

const refused = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: refused`), { code, syscall: 'open', ...(path && { path }) })

test.each([
  ['EACCES', '/etc/shadow', 'this account does not have permission'],
  ['EROFS', '/sys/x', 'the file system is read-only'],
  ['ENOENT', '/x-absent', 'it does not exist'],
  ['ENOENT', '/x-absent/file', 'the folder /x-absent does not exist'],
  ['EEXIST', '/etc/passwd', '/etc/passwd is not a folder'],
  ['EADDRNOTAVAIL', undefined, 'this machine does not have this address'],
])('the system error %s at %s has a reason in plain words', (code, path, reason) => {
  expect(reasonOf(refused(code, path))).toBe(reason)
})

test('an unknown error of the system keeps its own message', () => {
  expect(reasonOf(refused('EXDEV'))).toBe('EXDEV: refused')
})

test('an error that is not from the system has no reason', () => {
  const withCode = Object.assign(new Error('defect'), { code: 'EACCES' })
  const withCall = Object.assign(new Error('defect'), { syscall: 'open' })
  for (const error of [undefined, 'text', new Error('defect'), withCode, withCall]) {
    expect(reasonOf(error)).toBeUndefined()
  }
})
