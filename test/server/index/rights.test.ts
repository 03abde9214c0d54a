/** A search with the index finds only what the user may list. */
import { expect, test } from 'bun:test'
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Rule } from '#wire/api/user.ts'
import { parsePath } from '#wire/paths.ts'
import { scopeOn } from '../../support/files/archives.ts'
import { found, indexForEach, walked } from '../../support/storage/indexed.ts'

const indexed = indexForEach((disk) => {
  mkdirSync(disk('docs/secret/open'), { recursive: true })
  mkdirSync(disk('anna/.private'), { recursive: true })
  mkdirSync(disk('anna/own'))
  mkdirSync(disk('.filemgr'), { mode: 0o700 })
  for (const name of [
    'docs/plan x',
    'docs/secret/x',
    'docs/secret/open/x',
    'anna/own/x',
    'anna/.private/x',
    'anna/.x',
    'secret.db',
    '.filemgr/x',
    'x',
  ])
    writeFileSync(disk(name), '')
  linkSync(disk('secret.db'), disk('copy of secret.db'))
  symlinkSync('../docs', disk('anna/link x out'))
  symlinkSync('own', disk('anna/link x in'))
  symlinkSync('secret', disk('docs/link x to secret'))
})
const { disk } = indexed

const rule = (allow: boolean, path: string): Rule => ({ allow, path, regex: false, regexp: null })
const expression = (raw: string, allow = false): Rule => ({
  ...{ allow, path: '', regex: true },
  regexp: { raw },
})

const CASES: [string, Parameters<typeof scopeOn>[1], string[]][] = [
  ['nothing is denied', {}, ['docs/secret/open/x', 'docs/secret/x', 'docs/link x to secret/']],
  ['a folder is denied', { rules: [rule(false, '/docs/secret')] }, []],
  [
    'something in a denied folder is allowed',
    { rules: [rule(false, '/docs/secret'), rule(true, '/docs/secret/open')] },
    ['docs/secret/open/x'],
  ],
  [
    'an expression allows something in a denied folder',
    { rules: [rule(false, '/docs/secret'), expression('/x$', true)] },
    [],
  ],
  [
    'all but a folder is denied',
    { rules: [rule(false, '/'), rule(true, '/docs'), rule(false, '/docs/secret')] },
    [],
  ],
  ['an expression denies names', { rules: [expression('plan')] }, ['docs/secret/x']],
  ['a link is denied', { rules: [rule(false, '/docs/link x to secret')] }, ['docs/secret/x']],
  ['hidden names are hidden', { hideDotfiles: true }, ['docs/secret/x']],
]

test.each(CASES)('%s: the index finds what a walk finds @spec-7.45', async (_, how, some) => {
  const scope = scopeOn(indexed.storage, how)
  for (const query of ['', 'x', 'secret', 'type:db']) {
    for (const folder of ['/', '/docs', '/docs/secret', '/anna'].map(parsePath)) {
      const answer = await found(scope, query, folder)
      const paths = await walked(indexed.storage, query, folder, how)
      expect({ query, folder, paths: answer.paths }).toEqual({ query, folder, paths })
    }
  }
  const { paths } = await found(scope, 'x')
  expect(paths).toEqual(expect.arrayContaining(some))
  if (some.length === 0) expect(paths.filter((path) => path.includes('secret'))).toEqual([])
})

test('a user with a folder of their own finds nothing outside, also by links @spec-7.45', async () => {
  const home = indexed.storage.within(parsePath('/anna'), { isExact: true })
  const answer = await found(scopeOn(home), 'x')
  expect(answer).toEqual({
    paths: ['.private/x', '.x', 'link x in/', 'own/x'],
    indexed: true,
  })
  expect(answer.paths).toEqual(await walked(home, 'x'))
})

test('the index returns no file of the server under any name @spec-7.45', async () => {
  const scope = scopeOn(indexed.storage)
  expect(await found(scope, 'secret.db')).toEqual({ paths: [], indexed: true })
  expect((await found(scope, 'filemgr')).paths).toEqual([])
})

test('a folder that is replaced by a link gives no results @spec-7.45', async () => {
  await indexed.restart({ freshMs: 0 })
  renameSync(disk('anna/own'), disk('anna/gone'))
  symlinkSync('../docs/secret', disk('anna/own'))
  const scope = scopeOn(indexed.storage, { rules: [rule(false, '/docs/secret')] })
  expect(await found(scope, 'x', parsePath('/anna'))).toEqual({
    paths: ['.private/x', '.x', 'gone/x', 'link x out/'],
    indexed: true,
  })
})
