import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BOUNDS, type Bound } from '#server/access/bounds.ts'
import { HOUSE } from '../../support/executable.ts'

test('SECURITY.md names every number', () => {
  const text = readFileSync(join(HOUSE, 'SECURITY.md'), 'utf8')
  const [, table = ''] = /\n\| of these .*\n\|[-| ]+\n((?:\|.*\n)+)/.exec(text) ?? []
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(1, 5))
  const bounds: Bound[] = Object.values(BOUNDS)
  expect(rows.map((row) => row.map((cell) => cell.trim()))).toEqual(
    bounds.map(({ what, own, whose, all, waiting }) => [
      what,
      own === undefined ? '' : `${own} (a${whose === 'address' ? 'n' : ''} ${whose})`,
      String(all ?? ''),
      String(waiting ?? ''),
    ]),
  )
})
