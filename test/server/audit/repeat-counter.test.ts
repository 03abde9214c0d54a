import { expect, test } from 'bun:test'
import { RepeatCounter } from '#server/audit/repeat-counter.ts'
import type { NewAuditRecord } from '#server/db/rows/audit.ts'

const record: NewAuditRecord = {
  atMs: 0,
  userId: 0,
  username: '',
  session: '',
  address: '',
  action: 'signIn',
  path: '',
  to: '',
  whom: '',
  bytes: 0,
  status: 403,
  share: '',
  times: 1,
  fault: '',
  entry: 0,
}

test('a limited number of kinds of refusals is counted, and a further kind writes the count of the oldest @limit-75', () => {
  const refusals = new RepeatCounter()
  const kinds = 12_000
  const early: NewAuditRecord[] = []
  for (let number = 0; number < kinds; number += 1) {
    for (let turn = 0; turn < 3; turn += 1) {
      early.push(
        ...refusals
          .add({ ...record, address: `${number}` }, `${number}`)
          .filter((one) => one.times > 1),
      )
    }
  }
  expect(early.map(({ address, times }) => [address, times])).toEqual(
    Array.from({ length: kinds - 10_000 }, (_, number) => [`${number}`, 2]),
  )
  expect(refusals.pending()).toHaveLength(10_000)
  expect(refusals.pending()).toEqual([])
})
