/** File systems that find one file under several names. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FoldsCase } from '#server/storage/local/confine/folds-case.ts'
import { NameAliases, PLAIN_FOLDERS_MAX } from '#server/storage/local/confine/name-aliases.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { isPrivateName } from '#wire/reserved-names.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const codeOf = (path: string) => {
  using root = openFolder(folder.path)
  try {
    new NameAliases().requireListed(root, parsePath(path))
    return 'no fault'
  } catch (error) {
    return error instanceof Fault ? error.code : error
  }
}

test('an entry is reached by its listed name in any case, and by no other name', () => {
  using disk = openFolder(folder.path)
  for (const name of ['Salaries~2026', 'Ünder']) writeFileSync(join(folder.path, name), '')
  expect(codeOf('/Salaries~2026')).toBe('no fault')
  expect(codeOf('/new~1')).toBe('no fault')
  // A file system that ignores case finds the names, but lists them in another case, or under another name.
  const listing = (...names: string[]) => ({
    names: () => names,
    at: (name: string) => disk.at(name),
    stat: () => disk.stat(),
  })
  const aliases = new NameAliases()
  expect(aliases.isAlias(listing('SALARIES~2026'), 'Salaries~2026')).toBe(false)
  expect(aliases.isAlias(listing('salaries~2026'), 'Salaries~2026')).toBe(false)
  expect(aliases.isAlias(listing('ünder'), 'Ünder')).toBe(false)
  expect(aliases.isAlias(listing('Ünder'), 'Salaries~2026')).toBe(true)
  expect(aliases.isAlias(listing('Ünder'), 'Salaries~2027')).toBe(false)
})

test('an entry is reached by its name in the other form of Unicode, as macOS finds it', () => {
  const [composed, decomposed] = ['\u00dcbung', 'U\u0308bung']
  // A file system of macOS finds both names, and lists one of them.
  for (const name of [composed, decomposed]) writeFileSync(join(folder.path, name), '')
  using disk = openFolder(folder.path)
  const listing = (name: string) => ({
    names: () => [name],
    at: (found: string) => disk.at(found),
    stat: () => disk.stat(),
  })
  const aliases = new NameAliases()
  expect(aliases.isAlias(listing(decomposed), composed)).toBe(false)
  expect(aliases.isAlias(listing(composed), decomposed.toLowerCase())).toBe(false)
  expect(aliases.isAlias(listing('Ubung'), composed)).toBe(true)
})

test('a name may end with a dot or a space only where the system stores it so', () => {
  using root = openFolder(folder.path)
  const path = parsePath('/Notes.')
  writeFileSync(join(folder.path, 'Notes.'), '')
  expect(() => new NameAliases({ hasEndings: true }).requireListed(root, path)).not.toThrow()
  expect(() => new NameAliases({ hasEndings: false }).requireListed(root, path)).toThrow(
    'cannot end with a dot',
  )
})

test('a plain name is an alias if the folder lists an equivalent name with other characters', () => {
  // In a folder of ext4 that ignores case, `ß` equals `ss`, and a soft hyphen is ignored.
  for (const alias of ['STRASSE', 'secret', 'plain']) writeFileSync(join(folder.path, alias), '')
  using disk = openFolder(folder.path)
  const listing = (names: string[], changedMs = 0) => ({
    names: () => names,
    at: (name: string) => disk.at(name),
    stat: () => Object.assign(disk.stat(), { ctimeMs: changedMs }),
  })
  const aliases = new NameAliases()
  const unusual = listing(['Stra\u00dfe', 'se\u00adcret', 'plain'])
  expect(aliases.isAlias(unusual, 'STRASSE')).toBe(true)
  expect(aliases.isAlias(unusual, 'secret')).toBe(true)
  expect(aliases.isAlias(unusual, 'PLAIN')).toBe(false)
  expect(aliases.isAlias(unusual, 'new')).toBe(false)
})

test('the names of an unchanged folder are read once, unless it was changed recently', () => {
  using disk = openFolder(folder.path)
  let reads = 0
  const folderOf = (changedMs: number) => ({
    names: () => {
      reads += 1
      return ['a', 'b']
    },
    at: (name: string) => disk.at(name),
    stat: () => Object.assign(disk.stat(), { ctimeMs: changedMs }),
  })
  const aliases = new NameAliases()
  const readsOf = (changedMs: number) => {
    reads = 0
    expect(aliases.isAlias(folderOf(changedMs), 'a')).toBe(false)
    return reads
  }
  expect([readsOf(1), readsOf(1), readsOf(2)]).toEqual([1, 0, 1])
  const now = Date.now()
  expect([readsOf(now), readsOf(now)]).toEqual([1, 1])
  for (let changedMs = 3; changedMs <= PLAIN_FOLDERS_MAX; changedMs += 1) readsOf(changedMs)
  // All places are taken: 1 was used before 2, and is used again, so 2 is forgotten.
  expect(readsOf(1)).toBe(0)
  readsOf(PLAIN_FOLDERS_MAX + 1)
  expect([readsOf(1), readsOf(2)]).toEqual([0, 1])
})

test('a path is refused if any of its names ends with a dot or a space', () => {
  for (const path of ['/private.', '/private /x', '/a/private...', '/.filemgr.']) {
    expect([path, codeOf(path)]).toEqual([path, 'badRequest'])
  }
  mkdirSync(join(folder.path, 'a.b/c d'), { recursive: true })
  expect(codeOf('/a.b/c d/.e')).toBe('no fault')
})

test('the private folder is reserved in every spelling that a file system may accept', () => {
  const aliases = [
    '.filemgr',
    '.FileMgr',
    '.filemgr.',
    '.filemgr . ',
    '.\ufb01lemgr',
    '\u200b.filemgr',
  ]
  for (const name of aliases) expect([name, isPrivateName(name)]).toEqual([name, true])
  for (const name of ['.filemgr2', 'filemgr', '.filemg', '.filemgr.x', 'a.filemgr']) {
    expect([name, isPrivateName(name)]).toEqual([name, false])
  }
})

test('a name without the letters a to z does not show whether its file system ignores case', () => {
  for (const name of ['unclear', 'folding']) mkdirSync(join(folder.path, name))
  writeFileSync(join(folder.path, 'unclear/ß'), '')
  // Two names of one file are what a file system that ignores case shows.
  writeFileSync(join(folder.path, 'folding/name'), '')
  linkSync(join(folder.path, 'folding/name'), join(folder.path, 'folding/NAME'))
  using unclear = openFolder(join(folder.path, 'unclear'))
  using folding = openFolder(join(folder.path, 'folding'))
  const folds = new FoldsCase(unclear)
  expect([folds.appliesTo(unclear), folds.appliesTo(folding), folds.appliesTo(unclear)]).toEqual([
    false,
    true,
    true,
  ])
})
