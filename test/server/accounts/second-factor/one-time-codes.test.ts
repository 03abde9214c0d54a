/** One-time codes are those of the standards (RFC 6238 appendix B, RFC 4226 appendix D). */
import { expect, test } from 'bun:test'
import { Secret } from 'otpauth'
import { stepOf } from '#server/accounts/second-factor/one-time-codes.ts'

/** The secret of both standards, in base 32. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32

/** Seconds → the last six of the eight digits in the table for SHA-1. */
const BY_TIME: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

/** The codes of the counters 0 to 9: here these are time steps. */
const BY_COUNTER = [
  ...['755224', '287082', '359152', '969429', '338314'],
  ...['254676', '287922', '162583', '399871', '520489'],
]

test.each(BY_TIME)('RFC 6238: at %d seconds the code is %s', (seconds, code) => {
  expect(stepOf(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('RFC 4226: each counter has its code, and no other one is near', () => {
  for (const [counter, code] of BY_COUNTER.entries()) {
    expect(stepOf(SECRET, code, counter * 30_000)).toBe(counter)
    expect(stepOf(SECRET, code, (counter + 2) * 30_000)).toBeUndefined()
  }
})
