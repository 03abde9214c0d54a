/** Quick Look over the listing, and the selection that follows it. */
import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { overlay } from '#ui/state/dialogs/overlay.ts'
import {
  closeQuickLook,
  openQuickLook,
  quickLook,
  quickLookNeighbours,
  showInQuickLook,
} from '#ui/state/file/quick-look.ts'
import { resetSelection, select, selection } from '#ui/state/folder/selection.ts'
import { entry } from '../../entries.ts'

const items = ['/a', '/b', '/c', '/d'].map((path) => entry(path))
const [a, b, c] = items
const names = () => {
  const { previous, next } = quickLookNeighbours(quickLook)
  return [previous?.name, next?.name]
}

beforeEach(() => {
  closeQuickLook()
  resetSelection()
})

test('Quick Look of one entry steps through all entries, and selects the shown one', () => {
  if (!b || !c) throw new Error('no entries')
  openQuickLook([b], items)
  expect(overlay.open).toBe('look')
  expect(names()).toEqual(['a', 'c'])
  showInQuickLook(c)
  expect([...selection.paths]).toEqual([c.path])
  expect(selection.cursor).toBe(c.path)
  closeQuickLook()
  expect(quickLook.entry).toBeNull()
  expect([...selection.paths]).toEqual([c.path])
})

test('stepping stays within the sequence @spec-2.33', () => {
  if (!a || !c) throw new Error('no entries')
  select([a, c])
  openQuickLook([a, c], items)
  expect(names()).toEqual([undefined, 'c'])
  showInQuickLook(c)
  expect(names()).toEqual(['a', undefined])
  expect([...selection.paths]).toEqual([a.path, c.path])
})

test('Quick Look does not open without an entry', () => {
  openQuickLook([], items)
  expect(overlay.open).toBeNull()
})
