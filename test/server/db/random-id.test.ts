import { expect, test } from 'bun:test'
import { randomId } from '#server/db/random-id.ts'

test('a random id never begins with a dash, is long enough and unique', () => {
  const names = Array.from({ length: 2000 }, () => randomId(12))
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{15}$/)
  expect(new Set(names).size).toBe(names.length)
})
