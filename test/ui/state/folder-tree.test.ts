import { afterEach, beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { folderTree, followBranch, openTo } from '#ui/state/folder-tree.ts'
import { listing } from '#ui/state/listing.ts'
import { session } from '#ui/state/session.ts'
import type { Entry, Listing } from '#wire/entry.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../browser.ts'

/** The folders in the root of the server. */
let names: string[]

beforeEach(() => {
  session.user = userOf()
  listing.entry = null
  listing.path = parsePath('/a')
  Object.assign(folderTree, { open: {}, folders: {} })
  names = ['a']
  serve(({ url }) => Response.json(listingOf(url === '/api/resources/' ? names : [])))
})
afterEach(() => {
  session.user = null
  listing.path = ROOT
})

function entryOf(name: string): Entry {
  const modified = '2026-01-02T12:00:00Z'
  const kind = { mode: 0, isDir: true, isSymlink: false, type: '', extension: '' } as const
  return { path: parsePath(`/${name}`), name, size: 0, modified, ...kind }
}

function listingOf(folders: readonly string[]): Listing {
  const sorting = { by: 'name', asc: true } as const
  const numbers = { numDirs: folders.length, numFiles: 0 }
  return { ...entryOf(''), path: ROOT, items: folders.map(entryOf), sorting, ...numbers }
}

test('a folder of the tree is loaded again when its version changes, and only then', async () => {
  await openTo(parsePath('/a/b'))
  await followBranch(ROOT, '1')
  expect(sentRequests.map(({ url }) => url)).toEqual(['/api/resources/', '/api/resources/a/'])
  names = ['a', 'new']
  await followBranch(ROOT, '1')
  expect(sentRequests).toHaveLength(2)
  await followBranch(ROOT, '2')
  expect(folderTree.folders[ROOT]).toEqual([parsePath('/a'), parsePath('/new')])
})

test('a folder that the tree does not show is not loaded', async () => {
  await followBranch(parsePath('/closed'), '1')
  await followBranch(parsePath('/closed'), '2')
  expect(sentRequests).toEqual([])
})
