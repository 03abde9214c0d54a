import { afterEach, describe, expect, setSystemTime, test } from 'bun:test'
import { type FailureKind, Failures, TRACKED_MAX } from '#server/accounts/credentials/failures.ts'
import { type PasswordAttempt, Throttle } from '#server/accounts/credentials/throttle.ts'
import { Fault, isFault } from '#wire/fault.ts'

afterEach(() => setSystemTime())

const HERE = '192.0.2.1'
const ELSEWHERE = '198.51.100.1'

/**
 * Makes one attempt.
 *
 * @returns the seconds to wait if it was refused without a comparison; 0 if the password was compared; -1 for another fault
 */
async function waits(throttle: Throttle, one: PasswordAttempt, right = false): Promise<number> {
  try {
    await throttle.attempt(one, async () => right)
    return 0
  } catch (error) {
    return isFault(error, 'tooMany') ? (error.retryAfterSec ?? 0) : -1
  }
}
const fail = (throttle: Throttle, account: string, address: string) =>
  waits(throttle, { account, address })

test('waiting times after failures grow, expire, and are forgotten', async () => {
  setSystemTime(new Date(0))
  const throttle = new Throttle()
  const seen: number[] = []
  let now = 0
  for (let turn = 0; turn < 14; turn += 1) {
    const wait = await fail(throttle, 'anna', HERE)
    if (wait > 0) {
      seen.push(wait)
      now += wait * 1000
      setSystemTime(new Date(now))
      turn -= 1
    }
  }
  expect(seen).toEqual([1, 2, 4, 8, 16, 32])
  setSystemTime(new Date(now + 2 * 3600_000))
  expect(await fail(throttle, 'anna', HERE)).toBe(0)
  expect(await fail(throttle, 'anna', HERE)).toBe(0)
})

test('guessing from one address does not lock out the user at another address, nor other accounts at first', async () => {
  const throttle = new Throttle()
  for (let turn = 0; turn < 20; turn += 1) await fail(throttle, 'anna', HERE)
  expect(await fail(throttle, 'anna', ELSEWHERE)).toBe(0)
  expect(await fail(throttle, 'bob', HERE)).toBe(0)
})

test('guesses from many addresses at one account wait for seconds, and a known address does not wait', async () => {
  const throttle = new Throttle()
  for (let turn = 0; turn < 200; turn += 1) await fail(throttle, 'anna', `192.0.2.${turn}`)
  const stranger = await fail(throttle, 'anna', ELSEWHERE)
  expect(stranger).toBeGreaterThan(0)
  expect(stranger).toBeLessThanOrEqual(30)
  const known = {
    account: 'anna',
    address: ELSEWHERE,
    failureKinds: async () => ['pair'] as FailureKind[],
  }
  expect(await waits(throttle, known, true)).toBe(0)
})

test('a known address waits after its own failures too', async () => {
  const throttle = new Throttle()
  const known = {
    account: 'anna',
    address: HERE,
    failureKinds: async () => ['pair'] as FailureKind[],
  }
  const seen: number[] = []
  for (let turn = 0; turn < 12; turn += 1) seen.push(await waits(throttle, known))
  expect(seen.slice(0, 8)).toEqual(Array(8).fill(0))
  expect(seen[8]).toBeGreaterThan(0)
})

test('the correct password resets the failures of the account at this address, and a failure of the server does not', async () => {
  const throttle = new Throttle()
  const one = { account: 'anna', address: HERE }
  for (let turn = 0; turn < 7; turn += 1) await fail(throttle, 'anna', HERE)
  const broken = throttle.attempt(one, async () => {
    throw new Fault('internal', 'no captcha today')
  })
  await expect(broken).rejects.toThrow('no captcha')
  expect(await fail(throttle, 'anna', HERE)).toBe(0)
  expect(await waits(throttle, one, true)).toBeGreaterThan(0)
  const other = new Throttle()
  for (let turn = 0; turn < 7; turn += 1) await fail(other, 'anna', HERE)
  expect(await waits(other, one, true)).toBe(0)
  for (let turn = 0; turn < 8; turn += 1) expect(await fail(other, 'anna', HERE)).toBe(0)
})

describe('concurrent attempts', () => {
  /** Attempts whose comparisons end when `open` is called. */
  function holding(throttle: Throttle, one: PasswordAttempt, right: boolean) {
    const gate = Promise.withResolvers<void>()
    let compared = 0
    const start = () =>
      throttle
        .attempt(one, async () => {
          compared += 1
          await gate.promise
          return right
        })
        .then(
          (result) => (result ? 'right' : 'wrong'),
          (error) => (isFault(error) ? error.code : 'error'),
        )
    return { start, open: gate.resolve, compared: () => compared }
  }

  test('concurrent attempts get no more comparisons than consecutive ones @limit-78', async () => {
    const throttle = new Throttle()
    const tries = holding(throttle, { account: 'anna', address: HERE }, false)
    const outcomes = Array.from({ length: 120 }, () => tries.start())
    await new Promise(setImmediate)
    expect(tries.compared()).toBe(8)
    tries.open()
    const count = Object.groupBy(await Promise.all(outcomes), (outcome) => outcome)
    expect(tries.compared()).toBe(8)
    expect(count.wrong).toHaveLength(8)
    // 64 attempts waited and were refused after a while; no attempt waits without end.
    expect(count.tooMany).toHaveLength(64)
    expect(count.unavailable).toHaveLength(48)
  })

  test('concurrent attempts with the correct password all succeed', async () => {
    const throttle = new Throttle()
    const tries = holding(throttle, { account: 'anna', address: HERE }, true)
    const outcomes = Array.from({ length: 60 }, () => tries.start())
    tries.open()
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['right']))
  })

  test('concurrent attempts of one address at many accounts are limited too', async () => {
    const throttle = new Throttle()
    let compared = 0
    const outcomes = Array.from({ length: 90 }, (_, number) =>
      throttle
        .attempt({ account: `name${number}`, address: HERE }, async () => {
          compared += 1
          await Promise.resolve()
          return false
        })
        .catch(() => false),
    )
    await Promise.all(outcomes)
    expect(compared).toBe(30)
  })
})

test('an account is blocked for half a minute at most, and an address for a quarter of an hour', async () => {
  setSystemTime(new Date(0))
  const failures = new Failures()
  const longest = async (kind: FailureKind) => {
    for (let turn = 0; turn < 100; turn += 1) await failures.add(kind, kind)
    return (await failures.waitMs(kind)) / 1000
  }
  expect(await longest('account')).toBe(30)
  expect(await longest('address')).toBe(15 * 60)
  expect(await longest('pair')).toBe(15 * 60)
})

describe('an address that many people share', () => {
  const MINUTE_MS = 60_000
  /** Fails once for each of many accounts. */
  async function failOften(throttle: Throttle, times: number, name = 'name'): Promise<void> {
    for (let turn = 0; turn < times; turn += 1) await fail(throttle, `${name} ${turn}`, HERE)
  }

  test('an address forgets a failure after every two minutes', async () => {
    setSystemTime(new Date(0))
    const throttle = new Throttle()
    await failOften(throttle, 30)
    expect(await fail(throttle, 'anna', HERE)).toBe(1)
    // One mistake in two minutes, all day long, blocks nobody.
    for (let minutes = 2; minutes < 24 * 60; minutes += 2) {
      setSystemTime(new Date(minutes * MINUTE_MS))
      expect(await fail(throttle, `late ${minutes}`, HERE)).toBe(0)
    }
    // Faster guesses block as before.
    await failOften(throttle, 30, 'fast')
    expect(await fail(throttle, 'anna', HERE)).toBeGreaterThan(0)
  })

  test('an account does not forget failures one by one', async () => {
    setSystemTime(new Date(0))
    const failures = new Failures()
    for (const kind of ['pair', 'account', 'signUp'] as const) {
      setSystemTime(new Date(0))
      const free = await failures.freeLeft(kind, kind)
      for (let turn = 0; turn < free; turn += 1) await failures.add(kind, kind)
      setSystemTime(new Date(30 * MINUTE_MS))
      expect(await failures.freeLeft(kind, kind)).toBe(0)
    }
  })

  test('one mistake every quarter of an hour does not keep an address blocked', async () => {
    setSystemTime(new Date(0))
    const throttle = new Throttle()
    await failOften(throttle, 30)
    for (let turn = 1; turn < 40; turn += 1) {
      setSystemTime(new Date(turn * 15 * MINUTE_MS))
      expect(await fail(throttle, `bot ${turn}`, HERE)).toBe(0)
      expect(await waits(throttle, { account: 'anna', address: HERE }, true)).toBe(0)
    }
  })

  test('a success forgives a failure of the address, once in two minutes for each account', async () => {
    setSystemTime(new Date(0))
    const throttle = new Throttle()
    await failOften(throttle, 20)
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await waits(throttle, { account: `right ${turn}`, address: HERE }, true)).toBe(0)
    }
    await failOften(throttle, 19, 'again')
    expect(await fail(throttle, 'last free', HERE)).toBe(0)
    expect(await fail(throttle, 'anna', HERE)).toBeGreaterThan(0)
    // An account of one’s own gives no endless guesses at others.
    const other = new Throttle()
    const outcomes: number[] = []
    for (let turn = 0; turn < 40; turn += 1) {
      outcomes.push(await fail(other, `guess ${turn}`, HERE))
      await waits(other, { account: 'own', address: HERE }, true)
    }
    expect(outcomes.filter((wait) => wait === 0)).toHaveLength(31)
  })

  test('passwords of shares and of users do not block each other', async () => {
    const throttle = new Throttle()
    const ofShare = (account: string, right = false) =>
      waits(throttle, { account, address: HERE, group: 'shares' }, right)
    for (let turn = 0; turn < 40; turn += 1) await ofShare(`link ${turn}`)
    expect(await ofShare('link other', true)).toBeGreaterThan(0)
    expect(await waits(throttle, { account: 'user anna', address: HERE }, true)).toBe(0)
    const other = new Throttle()
    await failOften(other, 40)
    expect(await fail(other, 'anna', HERE)).toBeGreaterThan(0)
    expect(await waits(other, { account: 'link a', address: HERE, group: 'shares' }, true)).toBe(0)
  })

  test('the address whose sign-ins begin to be blocked is reported, and not that of shares', async () => {
    const throttle = new Throttle()
    const reported: string[] = []
    throttle.onBlockedAddress((address) => reported.push(address))
    for (let turn = 0; turn < 40; turn += 1) {
      await waits(throttle, { account: `link ${turn}`, address: ELSEWHERE, group: 'shares' })
    }
    await failOften(throttle, 40)
    expect(reported).toEqual([HERE])
  })
})

describe('the memory of failures', () => {
  test('the memory of failures is limited, and invented names evict no key that waits @limit-76', async () => {
    const failures = new Failures()
    for (let turn = 0; turn < 9; turn += 1) await failures.add('pair', 'victim')
    for (let number = 0; number < TRACKED_MAX + 1000; number += 1) {
      await failures.add('pair', `made up ${number}`)
    }
    expect(await failures.waitMs('victim')).toBeGreaterThan(0)
    // The first keys are evicted: no attempt waits for them.
    expect(await failures.freeLeft('pair', 'made up 0')).toBe(8)
    expect(await failures.freeLeft('pair', `made up ${TRACKED_MAX + 999}`)).toBe(7)
  })
})

test('the addresses of an IPv6 network fail together', async () => {
  const throttle = new Throttle()
  for (let turn = 0; turn < 8; turn += 1) await fail(throttle, 'anna', `2001:db8::${turn}`)
  expect(await fail(throttle, 'anna', '2001:db8::ff')).toBeGreaterThan(0)
  expect(await fail(throttle, 'anna', '2001:db8:1::1')).toBe(0)
})

test('a number of failures of each kind has no waiting time', async () => {
  setSystemTime(new Date(0))
  const failures = new Failures()
  const free: [string, number][] = []
  for (const kind of ['pair', 'account', 'address', 'signUp'] as FailureKind[]) {
    let count = 0
    for (; (await failures.waitMs(kind)) === 0; count += 1) await failures.add(kind, kind)
    free.push([kind, count])
  }
  expect(Object.fromEntries(free)).toEqual({ pair: 8, account: 60, address: 30, signUp: 10 })
})

test('only refusals count as failures, and other errors do not', async () => {
  const throttle = new Throttle()
  const one = { account: 'anna', address: HERE }
  const thrown = (code: 'wrongCredentials' | 'unavailable') =>
    throttle
      .attempt(one, async () => {
        throw new Fault(code, '')
      })
      .catch((error: Fault) => error.code)
  for (let turn = 0; turn < 20; turn += 1) expect(await thrown('unavailable')).toBe('unavailable')
  for (let turn = 0; turn < 8; turn += 1) {
    expect(await thrown('wrongCredentials')).toBe('wrongCredentials')
  }
  expect(await thrown('wrongCredentials')).toBe('tooMany')
})
