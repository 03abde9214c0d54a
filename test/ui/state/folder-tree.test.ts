import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ref } from 'valtio'
import '../browser.ts'
import {
  branchesNear,
  closeBranch,
  folderTree,
  followBranch,
  openTo,
} from '#ui/state/folder-tree.ts'
import { listing } from '#ui/state/listing.ts'
import { session } from '#ui/state/session.ts'
import type { Entry, Listing } from '#wire/entry.ts'
import { parentPath, parsePath, ROOT } from '#wire/paths.ts'
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

test('the reload of a folder ends when another user signs in, whose tree does not show the folders', async () => {
  await openTo(parsePath('/a/b'))
  await followBranch(ROOT, '1')
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const followed = followBranch(ROOT, '2')
  session.user = userOf({ id: 2 })
  await Promise.resolve()
  response.resolve(Response.json(listingOf(['secret'])))
  await followed
  expect(sentRequests).toHaveLength(1)
  expect(folderTree.folders).toEqual({})
})

test('a folder that was opened for one user is not shown to the next', async () => {
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const opened = openTo(ROOT)
  session.user = userOf({ id: 2 })
  await Promise.resolve()
  response.resolve(Response.json(listingOf(['secret'])))
  await opened
  expect(folderTree.folders).toEqual({})
})

describe('the branches to follow', () => {
  /** Opens branches, each of which is in the list of its parent folder. */
  function openAll(...paths: string[]): void {
    for (const path of paths.map((path) => parsePath(path))) {
      folderTree.open[path] = true
      const parent = parentPath(path)
      folderTree.folders[parent] = ref([...(folderTree.folders[parent] ?? []), path])
    }
  }

  const near = (folder: string, most = 4) => branchesNear(parsePath(folder), most).map(String)

  test('the branches on the way to the folder come first, then the nearest open ones', () => {
    openAll('/x', '/a', '/a/b', '/a/c', '/a/c/d', '/y')
    expect(near('/')).toEqual(['/', '/x', '/a', '/y'])
    expect(near('/a/b')).toEqual(['/a/b', '/a', '/', '/a/c'])
    expect(near('/a/b', 6)).toEqual(['/a/b', '/a', '/', '/a/c', '/x', '/a/c/d'])
    expect(near('/a/b/e/f')).toEqual(['/a/b/e/f', '/a/b/e', '/a/b', '/'])
  })

  test('an open branch in a closed one is not followed', () => {
    openAll('/a', '/a/b')
    closeBranch(parsePath('/a'))
    expect(near('/')).toEqual(['/'])
  })
})
