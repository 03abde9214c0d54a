import { describe, expect, test } from 'bun:test'
import { nextStep, retryDelays, UnreadableFileError } from '#ui/uploads/retry.ts'
import { Fault, type FaultCode } from '#wire/fault.ts'

const DELAYS = retryDelays(3)
const NONE = { tries: 0, disconnects: 0 }

function after(code: FaultCode, { tries = 0, disconnects = 0, reachable = true } = {}) {
  return nextStep(new Fault(code, ''), { tries, disconnects }, DELAYS, reachable)
}

describe('what follows a failed attempt', () => {
  test('the waits after failed attempts are 0, 1000 and then double to the cap of 20 seconds', () => {
    expect(retryDelays(8)).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
    expect(retryDelays(0)).toEqual([])
  })

  test.each(['conflict', 'forbidden', 'tooLarge', 'badRequest', 'noSpace', 'notFound'] as const)(
    'the fault %s is final',
    (code) => expect(after(code)).toEqual({ do: 'fail' }),
  )

  test.each(['locked', 'internal'] as const)(
    'the fault %s is tried again as often as it is set',
    (code) => {
      expect(after(code)).toEqual({ do: 'retry', ms: 0 })
      expect(after(code, { tries: 2 })).toEqual({ do: 'retry', ms: 2000 })
      expect(after(code, { tries: 3 })).toEqual({ do: 'fail' })
    },
  )

  test('a lost connection is awaited without end', () => {
    expect(after('unavailable', { reachable: false })).toEqual({ do: 'reconnect', ms: 1000 })
    const late = { reachable: false, disconnects: 500, tries: 3 }
    expect(after('unavailable', late)).toEqual({ do: 'reconnect', ms: 20_000 })
  })

  test('a connection that breaks while the server answers others is tried a set number of times', () => {
    expect(after('unavailable', { tries: 1 })).toEqual({ do: 'retry', ms: 1000 })
    expect(after('unavailable', { tries: 3 })).toEqual({ do: 'fail' })
  })

  test('an ended session is awaited, but not when signing in again does not help', () => {
    expect(after('unauthenticated')).toEqual({ do: 'signIn' })
    expect(after('unauthenticated', { tries: 4 })).toEqual({ do: 'fail' })
  })

  test('a file that cannot be read is final', () => {
    expect(nextStep(new UnreadableFileError(), NONE, DELAYS, false)).toEqual({ do: 'fail' })
  })
})
