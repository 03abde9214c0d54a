/** The tables of `npm run mutants` quote existing code and name existing tests. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/executable.ts'

/** A mutant; scripts/mutants.ts describes the fields. */
interface Row {
  file: string
  find: string
  tests: string[]
  filter?: string
}

const TABLES = join(REPO_ROOT, 'test/mutants')

describe.each(readdirSync(TABLES))('the table %s', (name) => {
  const rows: Row[] = JSON.parse(readFileSync(join(TABLES, name), 'utf8'))

  test('every title in a filter occurs in a test file of its row', () => {
    const wrong = rows.flatMap(({ tests, filter = '' }) => {
      const sources = tests.map(sourceOf).join('\n')
      return filter.split('|').filter((text) => !sources.includes(text))
    })
    expect(wrong).toEqual([])
  })

  test('every quote occurs in its source file exactly once', () => {
    const wrong = rows.filter(({ file, find }) => sourceOf(file).split(find).length !== 2)
    expect(wrong.map(({ file, find }) => `${file}: ${find}`)).toEqual([])
  })
})

function sourceOf(path: string): string {
  return readFileSync(join(REPO_ROOT, path), 'utf8')
}
