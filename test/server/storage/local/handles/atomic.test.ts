/** A publication checks and replaces the file in one step. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lstatAt, replaceExactly, type Slot } from '#server/storage/local/handles/atomic.ts'
import { openFolder } from '#server/storage/local/handles/descriptor.ts'
import type { Handle } from '#server/storage/local/handles/handle.ts'
import { temporaryFolder } from '../../../../support/files/tree.ts'

let folder: ReturnType<typeof temporaryFolder>
let parent: Handle
let [staged, to]: Slot[] = []
beforeEach(() => {
  folder = temporaryFolder()
  parent = openFolder(folder.path)
  staged = { parent, name: 'staged' }
  to = { parent, name: 'file' }
  writeFileSync(disk('staged'), 'new')
})
afterEach(() => {
  parent.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, name)
const content = (name: string) => readFileSync(disk(name), 'utf8')

/** Checks the file, calls `act`, and then publishes. */
function publishAfter(act: () => void): boolean {
  if (!staged || !to) throw new Error('Nothing is staged.')
  const existing = lstatAt(to)
  act()
  return replaceExactly(staged, to, existing)
}

test('staged content gets a free name', () => {
  expect(publishAfter(() => undefined)).toBe(true)
  expect(content('file')).toBe('new')
})

test('a name that another writer takes in the meantime keeps the file of that writer', () => {
  expect(publishAfter(() => writeFileSync(disk('file'), 'theirs'))).toBe(false)
  expect(content('file')).toBe('theirs')
  expect(content('staged')).toBe('new')
})

test('the file that was checked is replaced, and remains under the staged name', () => {
  writeFileSync(disk('file'), 'old')
  expect(publishAfter(() => undefined)).toBe(true)
  expect([content('file'), content('staged')]).toEqual(['new', 'old'])
})

test('a file that disappears before the replacement is not replaced', () => {
  writeFileSync(disk('file'), 'old')
  expect(publishAfter(() => rmSync(disk('file')))).toBe(false)
  expect(content('staged')).toBe('new')
})

test.each(['size', 'time'])('a file that is edited in place in the meantime stays: %s', (what) => {
  writeFileSync(disk('file'), 'old')
  const { atime, mtime } = statSync(disk('file'))
  const edited = what === 'size' ? 'older' : 'odd'
  const edit = () => {
    writeFileSync(disk('file'), edited)
    utimesSync(disk('file'), atime, what === 'size' ? mtime : new Date(0))
  }
  // A Date has no fractions of a millisecond, so the file gets the time that `edit` can set again.
  utimesSync(disk('file'), atime, mtime)
  expect(publishAfter(edit)).toBe(false)
  expect(content('file')).toBe(edited)
  expect(content('staged')).toBe('new')
})

test('another file of the same size and time is not replaced', () => {
  writeFileSync(disk('file'), 'old')
  utimesSync(disk('file'), 1, 1)
  writeFileSync(disk('other'), 'two')
  utimesSync(disk('other'), 1, 1)
  expect(publishAfter(() => renameSync(disk('other'), disk('file')))).toBe(false)
  expect([content('file'), content('staged')]).toEqual(['two', 'new'])
})
