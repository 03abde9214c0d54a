import { expect, test } from 'bun:test'
import { z } from 'zod'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'

const shape = z.strictObject({
  name: z.string().min(2).max(4),
  count: z.number().int().max(5),
  kind: z.enum(['a', 'b']),
  on: z.boolean(),
  ids: z.array(z.number()).max(1),
})
const RIGHT = { name: 'ab', count: 1, kind: 'a', on: true, ids: [] }

test.each<[unknown, string]>([
  [{ ...RIGHT, name: undefined }, 'name is missing.'],
  [{ ...RIGHT, name: 1 }, 'name must be a text.'],
  [{ ...RIGHT, name: 'a' }, 'name must have at least 2 characters.'],
  [{ ...RIGHT, name: 'abcde' }, 'name must have at most 4 characters.'],
  [{ ...RIGHT, count: 6 }, 'count must be at most 5.'],
  [{ ...RIGHT, count: 1.5 }, 'count must be a whole number.'],
  [{ ...RIGHT, kind: 'c' }, 'kind must be one of "a", "b".'],
  [{ ...RIGHT, on: 'yes' }, 'on must be true or false.'],
  [{ ...RIGHT, ids: ['x'] }, 'ids.0 must be a number.'],
  [{ ...RIGHT, ids: [1, 2] }, 'ids must have at most 1 items.'],
  [{ ...RIGHT, more: 1 }, 'The value has unknown fields: more.'],
  [null, 'The value must be an object.'],
])('%j is refused with a sentence', (value, sentence) => {
  const { error } = shape.safeParse(value)
  expect(error && sentenceOf(error)).toBe(sentence)
})
