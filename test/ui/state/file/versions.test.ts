/** Earlier versions of a file: the functions by rights, and their effects. */

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { undoable } from '#ui/state/changes/undo.ts'
import { answer, prompts } from '#ui/state/dialogs/prompts.ts'
import { versionsOf } from '#ui/state/file/versions.ts'
import { toasts } from '#ui/state/messages/toasts.ts'
import { session } from '#ui/state/session/session.ts'
import type { Entry } from '#wire/api/entry.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { type Permissions, permissionsOf } from '#wire/permissions.ts'
import { sentRequests, serve } from '../../browser.ts'

const entry = (changes: Partial<Entry> = {}): Entry => ({
  path: parsePath('/a b.txt'),
  name: 'a b.txt',
  size: 10,
  extension: '.txt',
  modified: '2026-01-02T03:04:05Z',
  mode: 0o644,
  isDir: false,
  isSymlink: false,
  type: 'text',
  ...changes,
})
const VERSION: TrashItemInfo = {
  id: 7,
  time: '2026-01-02T03:04:05Z',
  username: 'anna',
  path: '/a b.txt',
  isDir: false,
  size: 3,
  modified: '2026-01-01T03:04:05Z',
}

function signInWith(changes: Partial<Permissions> = {}): void {
  const perm = { ...permissionsOf('admin'), ...changes }
  session.user = { id: 1, username: 'anna', perm } as never
}

beforeEach(() => {
  signInWith()
  toasts.shown = []
  undoable.past = []
  serve(({ method, url }) => {
    if (method === 'POST') return new Response('', { headers: { [JOURNAL_HEADER]: '12' } })
    return new Response(url.startsWith('/api/versions') ? 'one' : 'two')
  })
})
afterEach(() => {
  session.user = null
  prompts.stack = []
})

const offered = (changes: Partial<Entry> = {}, version = VERSION) => {
  const versions = versionsOf(entry(changes))
  if (!versions) return undefined
  const functions = ['onDownload', 'onRestore'] as const
  return [
    ...(versions.mayCompare(version) ? ['onCompare'] : []),
    ...functions.filter((name) => versions[name]),
  ]
}

test('a folder and a broken link have no versions', () => {
  expect(offered({ isDir: true })).toBeUndefined()
  expect(offered({ type: 'invalid_link' })).toBeUndefined()
})

test('the available functions depend on the rights and the file @spec-2.34', () => {
  expect(offered()).toEqual(['onCompare', 'onDownload', 'onRestore'])
  expect(offered({ type: 'image' })).toEqual(['onDownload', 'onRestore'])
  expect(offered({ size: 3_000_000 })).toEqual(['onDownload', 'onRestore'])
  expect(offered({}, { ...VERSION, size: 3_000_000 })).toEqual(['onDownload', 'onRestore'])
  signInWith({ admin: false, modify: false })
  expect(offered()).toEqual(['onCompare', 'onDownload'])
  signInWith({ admin: false, download: false })
  expect(offered()).toEqual(['onRestore'])
})

test('a restored version can be undone', async () => {
  await versionsOf(entry())?.onRestore?.(VERSION)
  expect(sentRequests[0]).toMatchObject({ method: 'POST', url: '/api/versions/a%20b.txt?id=7' })
  expect(toasts.shown.map(({ tone, undo }) => [tone, [...undo]])).toEqual([['success', [12]]])
  expect(undoable.past.map((group) => [...group])).toEqual([[12]])
})

test('both texts are shown side by side, and the earlier one can be restored', async () => {
  const done = versionsOf(entry())?.onCompare(VERSION)
  while (prompts.stack.length === 0) await Bun.sleep(1)
  const [shown] = prompts.stack
  expect(shown?.question).toMatchObject({ earlier: 'one', current: 'two', mayRestore: true })
  answer(shown?.id ?? 0, 'restore')
  await done
  expect(sentRequests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
})

test('a missing version is reported with the name of its file', async () => {
  serve(() => new Response('', { status: 404 }))
  await versionsOf(entry())?.onCompare(VERSION)
  expect(toasts.shown.map(({ tone }) => tone)).toEqual(['error'])
  expect(toasts.shown[0]?.text).toContain('a b.txt')
})
