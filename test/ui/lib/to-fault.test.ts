import { expect, test } from 'bun:test'
import { toFault } from '#ui/lib/to-fault.ts'
import { Fault } from '#wire/fault.ts'

test('a fault stays, and another error is the cause of an internal fault', () => {
  const fault = new Fault('notFound', 'gone')
  expect(toFault(fault)).toBe(fault)
  const error = new TypeError('broken')
  expect(toFault(error)).toMatchObject({ code: 'internal', cause: error })
})
