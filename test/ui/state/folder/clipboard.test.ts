/** The clipboard for entries, and the user it belongs to. */
import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import {
  clipboard,
  emptyClipboard,
  pasteVerbIn,
  putOnClipboard,
  watchClipboard,
} from '#ui/state/folder/clipboard.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { entry } from '../../entries.ts'

const FOLDER = parsePath('/from')
const ENTRIES = [entry('/from/a'), entry('/from/b/')]
const names = () => clipboard.entries.map(({ name }) => name)

/** Changes the signed-in user. Subscribers run a moment later. */
async function signInAs(id: number | undefined, endedBy?: typeof session.endedBy): Promise<void> {
  session.endedBy = endedBy
  session.user = id === undefined ? null : ({ id } as never)
  await Promise.resolve()
}

beforeEach(async () => {
  await signInAs(undefined, 'left')
  localStorage.clear()
  await signInAs(1)
})

test('the clipboard is restored after the session ended, with everything a paste needs @spec-2.30', async () => {
  putOnClipboard('cut', FOLDER, ENTRIES)
  await signInAs(undefined, 'inactivity')
  expect(names()).toEqual([])
  await signInAs(1)
  expect(clipboard.entries).toEqual(ENTRIES)
  expect(pasteVerbIn(clipboard, parsePath('/to'))).toBe('move')
  expect(pasteVerbIn(clipboard, FOLDER)).toBe('copy')
})

test('another user has an empty clipboard, and logging out clears it @spec-2.30', async () => {
  putOnClipboard('copy', FOLDER, ENTRIES)
  await signInAs(2)
  expect(names()).toEqual([])
  await signInAs(1)
  expect(names()).toEqual(['a', 'b'])
  await signInAs(undefined, 'left')
  expect(localStorage.length).toBe(0)
  await signInAs(1)
  expect(names()).toEqual([])
})

test('an emptied clipboard stays empty after a new sign-in, and a change of preferences does not clear it', async () => {
  putOnClipboard('copy', FOLDER, ENTRIES)
  session.user = { id: 1, singleClick: true } as never
  await Promise.resolve()
  expect(names()).toEqual(['a', 'b'])
  emptyClipboard()
  await signInAs(undefined, 'ended')
  await signInAs(1)
  expect(names()).toEqual([])
})

test('a very large clipboard is not stored, and does not leave an older one in its place', async () => {
  putOnClipboard('copy', FOLDER, [entry('/from/old')])
  putOnClipboard(
    'copy',
    FOLDER,
    Array.from({ length: 2001 }, (_, at) => entry(`/from/${at}`)),
  )
  expect(clipboard.entries).toHaveLength(2001)
  await signInAs(undefined, 'ended')
  await signInAs(1)
  expect(names()).toEqual([])
})

test('the clipboard follows other tabs, and expires after a day @spec-2.30', async () => {
  watchClipboard()
  const key = 'filemgr.clipboard'
  const storeFromOtherTab = (stored: object | null) => {
    if (stored) localStorage.setItem(key, JSON.stringify(stored))
    else localStorage.removeItem(key)
    window.dispatchEvent(new StorageEvent('storage', { key }))
  }
  const storedClipboard = {
    verb: 'cut',
    folder: FOLDER,
    entries: ENTRIES,
    userId: 1,
    atMs: Date.now(),
  }
  storeFromOtherTab(storedClipboard)
  expect(names()).toEqual(['a', 'b'])
  expect(pasteVerbIn(clipboard, parsePath('/to'))).toBe('move')
  storeFromOtherTab({ ...storedClipboard, userId: 2 })
  expect(names()).toEqual([])
  storeFromOtherTab(storedClipboard)
  storeFromOtherTab(null)
  expect(names()).toEqual([])
  storeFromOtherTab({ ...storedClipboard, atMs: Date.now() - 25 * 60 * 60_000 })
  expect(names()).toEqual([])
})
