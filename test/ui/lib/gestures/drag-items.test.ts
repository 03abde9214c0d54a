import { expect, test } from 'bun:test'
import { dropVerb } from '#ui/lib/gestures/drag-items.ts'
import { parsePath } from '#wire/paths.ts'
import { entry } from '../../entries.ts'

const DRAGGED = { entries: [entry('/a/b/'), entry('/a/x.txt')], from: parsePath('/a') }
const ALL = { move: true, copy: true }

test.each([
  ['/', 'move', 'copy'],
  ['/c', 'move', 'copy'],
  ['/a/bb', 'move', 'copy'],
  ['/a', undefined, undefined],
  ['/a/b', undefined, undefined],
  ['/a/b/c', undefined, undefined],
] as const)('a drop onto %p does %p, and with Ctrl %p', (to, plain, withCtrl) => {
  expect(dropVerb(DRAGGED, parsePath(to), ALL, false)).toBe(plain)
  expect(dropVerb(DRAGGED, parsePath(to), ALL, true)).toBe(withCtrl)
})

test.each([
  [{ move: false, copy: true }, 'copy', 'copy'],
  [{ move: true, copy: false }, 'move', undefined],
  [{ move: false, copy: false }, undefined, undefined],
] as const)('a drop by a user who may %p does only that', (rights, plain, withCtrl) => {
  const to = parsePath('/c')
  expect(dropVerb(DRAGGED, to, rights, false)).toBe(plain)
  expect(dropVerb(DRAGGED, to, rights, true)).toBe(withCtrl)
})
