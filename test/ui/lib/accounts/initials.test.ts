import { expect, test } from 'bun:test'
import { initialsOf } from '#ui/lib/accounts/initials.ts'

test.each([
  ['mara.lindqvist', 'ML'],
  ['ana', 'A'],
  ['Jean Luc Picard', 'JL'],
  ['', ''],
  ['_', '_'],
  ['ßeta.b', 'SB'],
])('the initials of %p are %p', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
