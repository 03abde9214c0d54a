import { describe, expect, test } from 'bun:test'
import { nextStep, retryDelays, UnreadableFileError } from '#ui/uploads/send/retry.ts'
import { Fault, type FaultCode } from '#wire/fault.ts'

const DELAYS = retryDelays(3)
const NONE = { tries: 0, disconnects: 0 }

function after(code: FaultCode, { tries = 0, disconnects = 0, reachable = true } = {}) {
  return nextStep(new Fault(code, ''), { tries, disconnects }, DELAYS, reachable)
}

describe('the step after a failed attempt @spec-8.5', () => {
  test('the delays after failed attempts are 0, 1000 and then doubled up to 20 seconds', () => {
    expect(retryDelays(8)).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
    expect(retryDelays(0)).toEqual([])
  })

  test.each(['conflict', 'forbidden', 'tooLarge', 'badRequest', 'noSpace', 'notFound'] as const)(
    'the fault %s is final',
    (code) => expect(after(code)).toEqual({ do: 'fail' }),
  )

  test.each(['locked', 'internal'] as const)(
    'the fault %s is retried up to the configured number',
    (code) => {
      expect(after(code)).toEqual({ do: 'retry', ms: 0 })
      expect(after(code, { tries: 2 })).toEqual({ do: 'retry', ms: 2000 })
      expect(after(code, { tries: 3 })).toEqual({ do: 'fail' })
    },
  )

  test('a lost connection is retried without a limit', () => {
    expect(after('unavailable', { reachable: false })).toEqual({ do: 'reconnect', ms: 1000 })
    const late = { reachable: false, disconnects: 500, tries: 3 }
    expect(after('unavailable', late)).toEqual({ do: 'reconnect', ms: 20_000 })
  })

  test('a broken connection is retried up to the limit while the server answers other requests', () => {
    expect(after('unavailable', { tries: 1 })).toEqual({ do: 'retry', ms: 1000 })
    expect(after('unavailable', { tries: 3 })).toEqual({ do: 'fail' })
  })

  test('an expired session waits for a sign-in, but not if signing in again does not help', () => {
    expect(after('unauthenticated')).toEqual({ do: 'signIn' })
    expect(after('unauthenticated', { tries: 4 })).toEqual({ do: 'fail' })
  })

  test('a file that cannot be read is final', () => {
    expect(nextStep(new UnreadableFileError(), NONE, DELAYS, false)).toEqual({ do: 'fail' })
  })
})
