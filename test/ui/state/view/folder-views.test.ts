/** How folders are shown: one way for all, and a folder's own. */
import { beforeEach, expect, test } from 'bun:test'
import { session } from '#ui/state/session/session.ts'
import {
  changeView,
  folderViews,
  hasOwnView,
  setOwnView,
  viewOf,
} from '#ui/state/view/folder-views.ts'
import { layout } from '#ui/state/view/layout.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'

const PHOTOS = parsePath('/photos')
const OTHER = parsePath('/other')

async function signInAs(id: number | undefined): Promise<void> {
  session.user = id === undefined ? null : userOf({ id })
  await Promise.resolve()
}

beforeEach(async () => {
  serve(() => new Response(''))
  await signInAs(undefined)
  localStorage.clear()
  layout.density = 'comfortable'
  await signInAs(1)
})

test('a change of the view applies to all folders and is stored in the account', async () => {
  await changeView(PHOTOS, { viewMode: 'mosaic' })
  expect([viewOf(PHOTOS).viewMode, viewOf(OTHER).viewMode]).toEqual(['mosaic', 'mosaic'])
  expect(sentRequests.map(({ method }) => method)).toEqual(['PUT'])
  await changeView(PHOTOS, { density: 'compact' })
  expect([viewOf(OTHER).density, layout.density]).toEqual(['compact', 'compact'])
  expect(sentRequests).toHaveLength(1)
})

test('a folder with its own view changes alone, without a request @spec-2.26', async () => {
  setOwnView(PHOTOS, true)
  const sorting = { by: 'size', asc: false } as const
  await changeView(PHOTOS, { viewMode: 'mosaic gallery', sorting, density: 'compact' })
  expect(viewOf(PHOTOS)).toMatchObject({ viewMode: 'mosaic gallery', sorting, density: 'compact' })
  expect(viewOf(OTHER)).toEqual({
    viewMode: 'list',
    sorting: { by: 'name', asc: true },
    density: 'comfortable',
  })
  expect(sentRequests).toEqual([])
  setOwnView(PHOTOS, false)
  expect(viewOf(PHOTOS)).toEqual(viewOf(OTHER))
})

test('folder views belong to one user', async () => {
  setOwnView(PHOTOS, true)
  await signInAs(2)
  expect(hasOwnView(PHOTOS)).toBe(false)
  await signInAs(1)
  expect(hasOwnView(PHOTOS)).toBe(true)
})

test('the newest two hundred folder views are stored', () => {
  for (let at = 0; at < 201; at += 1) setOwnView(parsePath(`/${at}`), true)
  expect(folderViews.own).toHaveLength(200)
  expect([hasOwnView(parsePath('/0')), hasOwnView(parsePath('/200'))]).toEqual([false, true])
})
