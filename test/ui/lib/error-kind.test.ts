import { expect, test } from 'bun:test'
import { errorKindOf } from '#ui/lib/error-kind.ts'
import { FAULT_CODES } from '#wire/fault.ts'

test('each fault has one of the four error panels', () => {
  const byKind = Object.groupBy(FAULT_CODES, (code) => errorKindOf({ code }))
  expect(byKind.connection).toEqual(['unavailable'])
  expect(byKind.forbidden).toEqual(['forbidden', 'outside'])
  expect(byKind.notFound).toEqual(['badRequest', 'notFound', 'expired', 'notDirectory'])
  expect(byKind.internal).toContain('internal')
})
