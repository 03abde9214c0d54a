import { expect, test } from 'bun:test'
import { errorKindOf, otherStatus } from '#ui/lib/error-kind.ts'
import { FAULT_CODES } from '#wire/fault.ts'

test('each fault has one of the error panels', () => {
  const byKind = Object.groupBy(FAULT_CODES, (code) => errorKindOf({ code }))
  expect(byKind.connection).toEqual(['unavailable'])
  expect(byKind.forbidden).toEqual(['forbidden'])
  expect(byKind.linkOutside).toEqual(['outside'])
  expect(byKind.notFound).toEqual(['badRequest', 'notFound', 'expired', 'notDirectory'])
  expect(byKind.internal).toContain('internal')
  expect(errorKindOf({ code: 'notFound', reason: 'linkTargetMissing' })).toBe('brokenLink')
})

test('a server that refuses with a sentence was reached, and a proxy that cannot reach it has no sentence', () => {
  expect(errorKindOf({ code: 'unavailable', message: 'This disk does not respond.' })).toBe(
    'internal',
  )
  expect(errorKindOf({ code: 'unavailable', message: '', status: 502 })).toBe('connection')
  const gone = {
    code: 'unavailable',
    message: 'There was no response.',
    reason: 'noConnection',
  } as const
  expect(errorKindOf(gone)).toBe('connection')
})

test('a panel names the status that was sent', () => {
  expect(otherStatus('notFound', 404)).toBeUndefined()
  expect(otherStatus('notFound', 410)).toBe('410')
  expect(otherStatus('internal', 409)).toBe('409')
  expect(otherStatus('connection', 502)).toBe('502')
  expect(otherStatus('connection', undefined)).toBeUndefined()
})
