import { beforeEach, describe, expect, test } from 'bun:test'
import {
  clearSelection,
  keepSelection,
  moveCursor,
  resetSelection,
  select,
  selectAll,
  selectedOf,
  selection,
  selectOnly,
  selectRange,
  toggle,
} from '#ui/state/folder/selection.ts'
import { entry } from '../../entries.ts'

const ITEMS = 'abcdef'.split('').map((name) => entry(`/${name}`))
const item = (name: string) => ITEMS.find((one) => one.name === name) ?? entry(`/${name}`)
const names = () =>
  selectedOf(ITEMS, selection.paths)
    .map(({ name }) => name)
    .join('')

beforeEach(resetSelection)

describe('selecting', () => {
  test('selecting one item replaces what was selected', () => {
    selectOnly(item('a'))
    selectOnly(item('c'))
    expect(names()).toBe('c')
  })

  test('toggling adds and removes an entry', () => {
    selectOnly(item('a'))
    toggle(item('c'))
    toggle(item('a'))
    expect(names()).toBe('c')
  })

  test('a range goes from the anchor to the entry, in both directions, and replaces the last range @spec-4.9', () => {
    selectOnly(item('c'))
    selectRange(item('e'), ITEMS)
    expect(names()).toBe('cde')
    selectRange(item('a'), ITEMS)
    expect(names()).toBe('abc')
    expect(selection.cursor).toBe('/a')
  })

  test('a range can be added to the selection', () => {
    selectOnly(item('a'))
    toggle(item('e'))
    selectRange(item('f'), ITEMS, true)
    expect(names()).toBe('aef')
  })

  test('a range whose anchor the filter hides begins at the cursor', () => {
    selectOnly(item('a'))
    selectRange(item('c'), ITEMS)
    const shown = ITEMS.filter(({ name }) => name !== 'a')
    keepSelection(shown)
    selectRange(item('e'), shown)
    expect(names()).toBe('cde')
  })

  test('a range without an anchor is the entry alone', () => {
    selectRange(item('d'), ITEMS)
    expect(names()).toBe('d')
  })

  test('all entries can be selected and deselected', () => {
    selectAll(ITEMS)
    expect(names()).toBe('abcdef')
    selection.isSelectionMode = true
    clearSelection()
    expect([names(), selection.isSelectionMode]).toEqual(['', false])
  })

  test('moving the cursor keeps the selection and scrolls its row into view', () => {
    select([item('d'), item('e')])
    const before = selection.revealRequests
    moveCursor(item('b'))
    expect([names(), selection.cursor, selection.revealRequests]).toEqual(['de', '/b', before + 1])
  })

  test('a reload keeps the selection of entries that still exist', () => {
    select([item('b'), item('e')])
    keepSelection(ITEMS.filter(({ name }) => name !== 'b'))
    expect(names()).toBe('e')
    expect(selection.cursor).toBeUndefined()
  })
})
