import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ATTACK_CLASSES } from '#attacks/suite.ts'
import { REPO_ROOT } from '../support/executable.ts'

const cases = ATTACK_CLASSES.flatMap(({ cases }) => cases)

test('the catalogue contains no id twice, and every id from G-01 to G-99', () => {
  const ids = cases.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const published = Array.from(
    { length: 99 },
    (_, index) => `G-${String(index + 1).padStart(2, '0')}`,
  )
  expect(ids).toEqual(expect.arrayContaining(published))
})

test('SECURITY.md has the reason why each attack fails', () => {
  const text = readFileSync(join(REPO_ROOT, 'SECURITY.md'), 'utf8')
  const rows = text
    .split('\n')
    .filter((line) => /^\| G-\d{2,3} /.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, 4)
        .map((cell) => cell.trim()),
    )
  expect(rows).toEqual(cases.map(({ id, attack, reason }) => [id, attack, reason]))
})
