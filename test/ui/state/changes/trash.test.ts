/** The trash page by page: no item is missing or twice, also if items are restored, deleted or added in between. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import {
  clearTrash,
  isFull,
  loadOlderItems,
  loadTrash,
  loadWholeTrash,
  purgeItems,
  reloadTrash,
  restoreItems,
  trash,
} from '#ui/state/changes/trash.ts'
import { session } from '#ui/state/session/session.ts'
import { LIMITS } from '#wire/limits.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'

const FIRST = LIMITS.auditPage
const NEXT = LIMITS.auditPageMax
/** Three pages. */
const ALL = FIRST + NEXT + 50

/** The ids in the trash of the server. */
let stored: number[] = []

/** Responds as the server does: newest first, older than `before`, at most `limit`. */
function respond({ method, url }: { method: string; url: string }): Response {
  if (method !== 'GET') return Response.json([])
  const query = new URL(url, 'http://files.test').searchParams
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
  const limit = Number(query.get('limit') ?? FIRST)
  if (limit > LIMITS.auditPageMax) return new Response('', { status: 400 })
  const ids = stored.filter((id) => id < before).toSorted((a, b) => b - a)
  return Response.json(ids.slice(0, limit).map((id) => ({ id, path: `/${id}` })))
}

/** Numbers from `newest` down to `oldest`. */
function ids(newest: number, oldest: number): number[] {
  return Array.from({ length: newest - oldest + 1 }, (_, index) => newest - index)
}

const shown = () => trash.items?.map(({ id }) => id)

/** Changes the signed-in user. Listeners are called a moment later. */
async function signInAs(id: number | undefined): Promise<void> {
  session.user = id === undefined ? null : userOf({ id })
  await Promise.resolve()
}

beforeEach(async () => {
  await signInAs(1)
  stored = ids(ALL, 1)
  serve(respond)
})
afterEach(async () => {
  clearTrash()
  await signInAs(undefined)
})

test('older items are loaded page by page, up to the oldest', async () => {
  await loadTrash()
  expect(shown()).toEqual(ids(ALL, NEXT + 51))
  expect(trash.hasMore).toBe(true)
  await loadOlderItems()
  expect(shown()).toEqual(ids(ALL, 51))
  expect(trash.hasMore).toBe(true)
  await loadOlderItems()
  expect(shown()).toEqual(ids(ALL, 1))
  expect(trash).toMatchObject({ hasMore: false, isLoading: false, fault: undefined })
})

test('a second request for older items while the first one runs adds no item twice', async () => {
  await loadTrash()
  await Promise.all([loadOlderItems(), loadOlderItems()])
  expect(shown()).toEqual(ids(ALL, 51))
})

test('a request for older items does not cancel a reload', async () => {
  await loadTrash()
  stored = stored.slice(1)
  await Promise.all([loadTrash(), loadOlderItems()])
  expect(shown()?.[0]).toBe(ALL - 1)
})

test('items that are removed before the next page is loaded do not make it skip others', async () => {
  await loadTrash()
  stored = stored.filter((id) => id < ALL - 50 && id !== NEXT + 51)
  await loadOlderItems()
  expect(shown()?.slice(FIRST)).toEqual(ids(NEXT + 50, 51))
})

test('a reload keeps all pages and drops what is no longer in the trash', async () => {
  await loadWholeTrash()
  stored = stored.filter((id) => id !== 1 && id !== 7)
  await reloadTrash()
  expect(shown()).toEqual(stored)
  expect(trash.hasMore).toBe(false)
})

test('a reload shows new items and still shows the items that were the last ones', async () => {
  await loadTrash()
  await loadOlderItems()
  stored = [...ids(ALL + 50, ALL + 1), ...stored]
  await reloadTrash()
  expect(shown()?.slice(0, ALL)).toEqual(ids(ALL + 50, 51))
  while (trash.hasMore) await loadOlderItems()
  expect(shown()).toEqual(stored)
})

test('a reload without the last shown item continues with the next one', async () => {
  await loadTrash()
  stored = stored.filter((id) => id !== NEXT + 51)
  await reloadTrash()
  while (trash.hasMore) await loadOlderItems()
  expect(shown()).toEqual(stored)
})

test('a reload of more items than one response may have is complete', async () => {
  stored = ids(NEXT + 200, 1)
  await loadWholeTrash()
  expect(shown()).toEqual(stored)
  sentRequests.length = 0
  await reloadTrash()
  expect(shown()).toEqual(stored)
  expect(sentRequests).toHaveLength(2)
})

test('a reload while everything is being loaded ends with everything', async () => {
  await Promise.all([loadWholeTrash(), reloadTrash(), loadWholeTrash()])
  expect(shown()).toEqual(stored)
})

test('of a trash without end, a part is loaded', async () => {
  stored = ids(ON_DEMAND_LIMITS.trashItemsMax + 2 * NEXT, 1)
  await loadWholeTrash()
  expect(trash.items?.length).toBeGreaterThanOrEqual(ON_DEMAND_LIMITS.trashItemsMax)
  expect(trash.items?.length).toBeLessThan(stored.length)
  expect(isFull()).toBe(true)
})

test('many items are deleted by several requests, whose URLs are not too long', async () => {
  const items = ids(450, 1).map((id) => ({ id }))
  sentRequests.length = 0
  await purgeItems(items)
  expect(sentRequests).toHaveLength(3)
  expect(sentRequests.every(({ url }) => url.length < 2000)).toBe(true)
  expect(sentRequests.map(({ url }) => url).join('&')).toContain('?id=50&id=49')
})

test('some items of several stay in the trash: the others are returned; if all stay, the reason is thrown', async () => {
  const stays = { path: '', fault: 'conflict', problem: 'x', shares: 0 }
  serve(() =>
    Response.json([
      { ...stays, id: 1 },
      { id: 2, path: '/2', fault: '', shares: 0 },
    ]),
  )
  expect(await restoreItems([{ id: 1 }, { id: 2 }])).toMatchObject([{ id: 2, path: '/2' }])
  serve(() => Response.json([{ ...stays, id: 1 }]))
  expect(restoreItems([{ id: 1 }])).rejects.toMatchObject({ code: 'conflict' })
})

test('after everything was deleted, nothing is shown', async () => {
  await loadWholeTrash()
  stored = []
  await reloadTrash()
  expect(trash).toMatchObject({ items: [], hasMore: false })
})

test('after all loaded items were deleted, the older ones are shown', async () => {
  await loadTrash()
  stored = ids(NEXT + 50, 1)
  await reloadTrash()
  expect(shown()).toEqual(stored)
  expect(trash.hasMore).toBe(false)
})

test('a reload waits for the older items that the user has requested', async () => {
  await loadTrash()
  const older = Promise.withResolvers<void>()
  serve(async (request) => {
    if (request.url.includes('before')) await older.promise
    return respond(request)
  })
  const loads = [loadOlderItems(), reloadTrash()]
  older.resolve()
  await Promise.all(loads)
  expect(shown()).toEqual(stored)
})

test('after a failure the loaded items stay, and the next page can be loaded again', async () => {
  await loadTrash()
  serve(() => new Response('', { status: 503 }))
  await loadOlderItems()
  expect(shown()).toEqual(ids(ALL, NEXT + 51))
  expect(trash).toMatchObject({ isLoading: false, fault: { code: 'unavailable' } })
  serve(respond)
  await loadOlderItems()
  expect(shown()).toEqual(ids(ALL, 51))
  expect(trash.fault).toBeUndefined()
})

test('after its page was left, the trash is not loaded again', async () => {
  await loadTrash()
  clearTrash()
  sentRequests.length = 0
  await reloadTrash()
  expect(sentRequests).toEqual([])
  expect(trash.items).toBeUndefined()
})

test('items that arrive after the page was left are not shown', async () => {
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  const loaded = loadTrash()
  clearTrash()
  response.resolve(Response.json([{ id: 1, path: '/1' }]))
  await loaded
  expect(trash).toMatchObject({ items: undefined, isLoading: false })
})

test('another user on the same page sees their own trash, from its first page', async () => {
  await loadWholeTrash()
  const response = Promise.withResolvers<Response>()
  serve(() => response.promise)
  await signInAs(2)
  expect(trash.items).toBeUndefined()
  expect(sentRequests.map(({ url }) => url)).toEqual([`/api/trash?limit=${FIRST}`])
  response.resolve(Response.json([{ id: 900, path: '/theirs' }]))
  while (trash.isLoading) await Bun.sleep(0)
  expect(shown()).toEqual([900])
})

test('after the sign-out nothing is shown or loaded', async () => {
  await loadWholeTrash()
  sentRequests.length = 0
  await signInAs(undefined)
  expect(trash.items).toBeUndefined()
  expect(sentRequests).toEqual([])
})
