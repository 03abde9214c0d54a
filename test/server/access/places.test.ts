import { expect, test } from 'bun:test'
import { Places } from '#server/access/places.ts'
import { isFault } from '#wire/fault.ts'

const bound = { what: 'things', own: 2, all: 3, words: 'Too many things.', retryAfterSec: 7 }

function refusal(take: () => Disposable): string {
  try {
    take()
    return ''
  } catch (error) {
    return isFault(error) ? `${error.code} ${error.retryAfterSec}` : String(error)
  }
}

test('so many of one’s own, so many of all, and room again when one is given back', () => {
  const places = new Places(bound)
  const first = places.take('anna')
  places.take('anna')
  expect(refusal(() => places.take('anna'))).toBe('tooMany 7')
  places.take('bob')
  expect(refusal(() => places.take('bob'))).toBe('unavailable 7')
  first[Symbol.dispose]()
  expect(refusal(() => places.take('bob'))).toBe('')
})

test('a place is given back once', () => {
  const places = new Places(bound)
  const first = places.take('anna')
  places.take('anna')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  places.take('anna')
  expect(refusal(() => places.take('anna'))).toBe('tooMany 7')
})

test('a thing that needs many places has them, and what is larger than all goes alone', () => {
  const places = new Places({ ...bound, own: 4, all: 6 })
  const large = places.take('anna', 9)
  expect(refusal(() => places.take('anna'))).toBe('tooMany 7')
  expect(refusal(() => places.take('bob'))).toBe('unavailable 7')
  large[Symbol.dispose]()
  places.take('anna', 3)
  expect(refusal(() => places.take('anna', 2))).toBe('tooMany 7')
  expect(refusal(() => places.take('bob', 4))).toBe('unavailable 7')
  expect(refusal(() => places.take('bob', 3))).toBe('')
})
