import { expect, test } from 'bun:test'
import { randomId } from '#server/db/row-name.ts'

test('a name can follow a command as a plain word, is long enough and never comes twice', () => {
  const names = Array.from({ length: 2000 }, () => randomId(12))
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{15}$/)
  expect(new Set(names).size).toBe(names.length)
})
