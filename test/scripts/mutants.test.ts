/** The tables of `npm run mutants`, as far as they can be checked without running them. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'

interface Row {
  tests: string[]
  filter?: string
}

const TABLES = join(REPO_ROOT, 'test/mutants')

test.each(readdirSync(TABLES))('each filter of %s occurs in a test file of its row', (name) => {
  const rows: Row[] = JSON.parse(readFileSync(join(TABLES, name), 'utf8'))
  const wrong = rows.flatMap(({ tests, filter = '' }) => {
    const sources = tests.map((path) => readFileSync(join(REPO_ROOT, path), 'utf8')).join('\n')
    return filter.split('|').filter((text) => !sources.includes(text))
  })
  expect(wrong).toEqual([])
})
