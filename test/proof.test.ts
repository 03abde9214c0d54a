import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOUSE } from './support/executable.ts'

/** Tables whose rows say which test proves them: `file: title`, below test/. */
const TABLES = ['ARCHITECTURE.md', 'test/e2e/README.md', 'SECURITY.md']

test.each(TABLES)('every proof that %s names exists', (name) => {
  const text = readFileSync(join(HOUSE, name), 'utf8')
  const proofs = [
    ...text.matchAll(/`((?:api|cli|server|ui|e2e|attacks|faults)\/[\w./-]+): ([^`]+)`/g),
  ]
  expect(proofs.length).toBeGreaterThan(40)
  const absent = proofs.filter(([, file = '', title = '']) => !holds(file, title))
  expect(absent.map(([proof]) => proof)).toEqual([])
})

test.each(TABLES.slice(0, 2))('no row of a proof in %s is empty', (name) => {
  const text = readFileSync(join(HOUSE, name), 'utf8')
  const tables = text.split(/\n\n/).filter((part) => /\|\s*proven by\s*\|/.test(part))
  expect(tables.length).toBeGreaterThan(0)
  for (const row of tables.flatMap((table) => table.trim().split('\n').slice(2))) {
    expect(row).toMatch(/`[\w./-]+: [^`]+`/)
  }
})

function holds(file: string, title: string): boolean {
  return ['.test.ts', '.test.tsx', '.spec.ts'].some((ending) => {
    const path = join(HOUSE, 'test', file + ending)
    return existsSync(path) && readFileSync(path, 'utf8').includes(title)
  })
}
