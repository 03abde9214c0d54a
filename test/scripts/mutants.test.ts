/** The tables of `npm run mutants` quote existing code and name existing tests. */
import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../support/server/executable.ts'

/** A mutant; scripts/mutants.ts describes the fields. */
interface Row {
  file: string
  find: string
  replace: string
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

  // A mutant that does not run makes every test fail, and proves nothing.
  test('every mutant has valid syntax, and its quote begins and ends between names', () => {
    const wrong = rows.filter((row) => !isValid(row) || isWithinName(row))
    expect(wrong.map(({ file, find }) => `${file}: ${find}`)).toEqual([])
  })

  test('every name in a replacement occurs in the source file, or is global', () => {
    const wrong = rows.flatMap((row) =>
      unknownNamesIn(row).map((name) => `${row.file}: ${row.replace}: ${name}`),
    )
    expect(wrong).toEqual([])
  })
})

const TRANSPILER = new Bun.Transpiler({ loader: 'tsx' })
const COMMENT_OR_STRING = /\/\/[^\n]*|'(?:\\.|[^'\\\n])*'/g
/** A name that is neither a property nor a key, nor a part of an escape such as `\u0000`. */
const NAME = /(?<![.\\\w$])#?[A-Za-z_$][\w$]*(?![\w$]|\??\s*:)/g
const KEYWORDS = /^(?:as|await|const|continue|else|false|if|import|return|throw|true|void)$/

function isValid({ file, find, replace }: Row): boolean {
  try {
    TRANSPILER.transformSync(
      sourceOf(file).replace(find, () => replace),
      file.endsWith('x') ? 'tsx' : 'ts',
    )
    return true
  } catch {
    return false
  }
}

/** Whether the quote begins or ends in the middle of a name. */
function isWithinName({ file, find }: Row): boolean {
  const source = sourceOf(file)
  const start = source.indexOf(find)
  return [start, start + find.length].some((at) => /^\w\w$/.test(source.slice(at - 1, at + 1)))
}

function unknownNamesIn({ file, find, replace }: Row): string[] {
  const rest = sourceOf(file).replace(find, '')
  const names = replace.replace(COMMENT_OR_STRING, '').match(NAME) ?? []
  const inQuote: readonly string[] = find.match(/#?[\w$]+/g) ?? []
  return names.filter(
    (name) =>
      !(name in globalThis) &&
      !KEYWORDS.test(name) &&
      !inQuote.includes(name) &&
      !new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`).test(rest),
  )
}

function sourceOf(path: string): string {
  return readFileSync(join(REPO_ROOT, path), 'utf8')
}
