import { expect, test } from 'bun:test'
import { Limiter } from '#server/limits/limiter.ts'
import { isFault } from '#wire/fault.ts'

const AT_ONCE = { what: 'things', perKey: 2, all: 3, message: 'Too many things.', retryAfterSec: 7 }

function refusal(take: () => Disposable): string {
  try {
    take()
    return ''
  } catch (error) {
    return isFault(error) ? `${error.code} ${error.retryAfterSec}` : String(error)
  }
}

test('a limit counts the permits of each user and of all users, and a returned permit is free again', () => {
  const requests = new Limiter(AT_ONCE)
  const first = requests.acquire('anna')
  requests.acquire('anna')
  expect(refusal(() => requests.acquire('anna'))).toBe('tooMany 7')
  requests.acquire('bob')
  expect(refusal(() => requests.acquire('bob'))).toBe('unavailable 7')
  first[Symbol.dispose]()
  expect(refusal(() => requests.acquire('bob'))).toBe('')
})

test('a permit is returned only once', () => {
  const requests = new Limiter(AT_ONCE)
  const first = requests.acquire('anna')
  requests.acquire('anna')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  requests.acquire('anna')
  expect(refusal(() => requests.acquire('anna'))).toBe('tooMany 7')
})

test('work that needs many permits gets them, and work that needs more than all runs alone @limit-10', () => {
  const requests = new Limiter({ ...AT_ONCE, perKey: 4, all: 6 })
  const large = requests.acquire('anna', 9)
  expect(refusal(() => requests.acquire('anna'))).toBe('tooMany 7')
  expect(refusal(() => requests.acquire('bob'))).toBe('unavailable 7')
  large[Symbol.dispose]()
  requests.acquire('anna', 3)
  expect(refusal(() => requests.acquire('anna', 2))).toBe('tooMany 7')
  expect(refusal(() => requests.acquire('bob', 4))).toBe('unavailable 7')
  expect(refusal(() => requests.acquire('bob', 3))).toBe('')
})
