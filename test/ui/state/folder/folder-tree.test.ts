import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ref, subscribe } from 'valtio'
import '../../browser.ts'
import {
  branchesNear,
  closeBranch,
  folderTree,
  followBranch,
  openTo,
} from '#ui/state/folder/folder-tree.ts'
import { listing } from '#ui/state/folder/listing.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry, Listing } from '#wire/api/entry.ts'
import { parentPath, parsePath, ROOT } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'

/** The folders in the root of the server. */
let names: string[]

beforeEach(() => {
  session.user = userOf()
  Object.assign(listing, { entry: null, status: 'idle', path: parsePath('/a') })
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

const foldersInRoot = () => folderTree.folders[ROOT]?.map(String)

test('a folder of the tree is loaded again when its version changes, and only then', async () => {
  await openTo(parsePath('/a/b'))
  expect(sentRequests.map(({ url }) => url)).toEqual(['/api/resources/', '/api/resources/a/'])
  await followBranch(ROOT, '1')
  sentRequests.length = 0
  names = ['a', 'new']
  await followBranch(ROOT, '1')
  expect(sentRequests).toEqual([])
  await followBranch(ROOT, '2')
  expect(foldersInRoot()).toEqual(['/a', '/new'])
})

test('a folder is loaded again with its first version, because it may have changed since it was opened', async () => {
  await openTo(parsePath('/a/b'))
  names = ['a', 'new']
  await followBranch(ROOT, '1')
  expect(foldersInRoot()).toEqual(['/a', '/new'])
})

test('a folder that changes while it is opened is loaded again', async () => {
  const [first, again] = [Promise.withResolvers<Response>(), Promise.withResolvers<void>()]
  serve(() => (sentRequests.length === 1 ? first.promise : Response.json(listingOf(['a', 'new']))))
  const stop = subscribe(folderTree, () => {
    if (foldersInRoot()?.includes('/new')) again.resolve()
  })
  const opened = openTo(ROOT)
  await followBranch(ROOT, '1')
  first.resolve(Response.json(listingOf(['a'])))
  await opened
  await again.promise
  stop()
  expect(foldersInRoot()).toEqual(['/a', '/new'])
})

test('a folder that is opened after its version is known is loaded once', async () => {
  await followBranch(ROOT, '1')
  await openTo(parsePath('/a'))
  await followBranch(ROOT, '1')
  expect(sentRequests).toHaveLength(1)
})

test('after a failed reload, a folder is loaded again with the next event, also of the same version', async () => {
  await openTo(parsePath('/a/b'))
  await followBranch(ROOT, '1')
  serve(() => new Response('', { status: 503 }))
  await followBranch(ROOT, '2')
  expect(foldersInRoot()).toEqual(['/a'])
  serve(() => Response.json(listingOf(['a', 'new'])))
  await followBranch(ROOT, '2')
  expect(foldersInRoot()).toEqual(['/a', '/new'])
})

test('the shown folder is not loaded again, because the tree takes its folders from the listing', async () => {
  await openTo(parsePath('/a/b'))
  sentRequests.length = 0
  Object.assign(listing, { path: ROOT, status: 'ready', entry: ref(listingOf(['a'])) })
  for (const version of ['1', '2']) await followBranch(ROOT, version)
  listing.path = parsePath('/a')
  await followBranch(ROOT, '2')
  expect(sentRequests).toEqual([])
  await followBranch(ROOT, '3')
  expect(sentRequests).toHaveLength(1)
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
