import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS, type LimitRule } from '#server/limits/concurrency-limits.ts'
import { REPO_ROOT } from '../../support/server/executable.ts'

test('SECURITY.md lists every concurrency limit', () => {
  const text = readFileSync(join(REPO_ROOT, 'SECURITY.md'), 'utf8')
  const [, table = ''] = /\n\| no\. \| of these .*\n\|[-| ]+\n((?:\|.*\n)+)/.exec(text) ?? []
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(2, 6))
  const limits: LimitRule[] = Object.values(CONCURRENCY_LIMITS)
  expect(rows.map((row) => row.map((cell) => cell.trim()))).toEqual(
    limits.map(({ what, perKey, per: keyKind, all, waiting }) => [
      what,
      perKey === undefined ? '' : `${perKey} (a${keyKind === 'address' ? 'n' : ''} ${keyKind})`,
      String(all ?? ''),
      String(waiting ?? ''),
    ]),
  )
})
