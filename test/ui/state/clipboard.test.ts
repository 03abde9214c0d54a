/** What waits to be pasted, and whose it is. */
import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { clipboard, emptyClipboard, pastesInto, putOnClipboard } from '#ui/state/clipboard.ts'
import { session } from '#ui/state/session.ts'
import { parsePath } from '#wire/paths.ts'
import { entry } from '../entries.ts'

const FOLDER = parsePath('/from')
const ENTRIES = [entry('/from/a'), entry('/from/b/')]
const names = () => clipboard.entries.map(({ name }) => name)

/** As far as the clipboard asks. What follows a change of it is told a moment later. */
async function become(id: number | undefined, endedBy?: typeof session.endedBy): Promise<void> {
  session.endedBy = endedBy
  session.user = id === undefined ? null : ({ id } as never)
  await Promise.resolve()
}

beforeEach(async () => {
  await become(undefined, 'left')
  sessionStorage.clear()
  await become(1)
})

test('the clipboard is there again after the session was lost, with all that pasting needs', async () => {
  putOnClipboard('cut', FOLDER, ENTRIES)
  await become(undefined, 'inactivity')
  expect(names()).toEqual([])
  await become(1)
  expect(clipboard.entries).toEqual(ENTRIES)
  expect(pastesInto(clipboard, parsePath('/to'))).toBe('move')
  expect(pastesInto(clipboard, FOLDER)).toBe('copy')
})

test('another person finds nothing, and nobody does after a log-out', async () => {
  putOnClipboard('copy', FOLDER, ENTRIES)
  await become(2)
  expect(names()).toEqual([])
  await become(1)
  expect(names()).toEqual(['a', 'b'])
  await become(undefined, 'left')
  expect(sessionStorage.length).toBe(0)
  await become(1)
  expect(names()).toEqual([])
})

test('what was pasted does not come back, and preferences take nothing away', async () => {
  putOnClipboard('copy', FOLDER, ENTRIES)
  session.user = { id: 1, singleClick: true } as never
  await Promise.resolve()
  expect(names()).toEqual(['a', 'b'])
  emptyClipboard()
  await become(undefined, 'ended')
  await become(1)
  expect(names()).toEqual([])
})

test('a very large one is there until the page is left', async () => {
  putOnClipboard('copy', FOLDER, [entry('/from/old')])
  putOnClipboard(
    'copy',
    FOLDER,
    Array.from({ length: 2001 }, (_, at) => entry(`/from/${at}`)),
  )
  expect(clipboard.entries).toHaveLength(2001)
  await become(undefined, 'ended')
  await become(1)
  expect(names()).toEqual([])
})
