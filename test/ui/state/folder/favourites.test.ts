import { afterEach, beforeEach, expect, test } from 'bun:test'
import {
  addFavourites,
  favourites,
  isFavourite,
  loadFavourites,
  moveFavourite,
  removeFavourite,
} from '#ui/state/folder/favourites.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { serve, userOf } from '../../browser.ts'

const [A, B, C] = ['/a', '/b', '/c'].map((path) => parsePath(path)) as [never, never, never]
let stored: string[] = []
let refuses = false

beforeEach(() => {
  stored = [A, B]
  refuses = false
  favourites.paths = null
  serve(({ method, body }) => {
    if (method === 'GET') return Response.json(stored)
    if (refuses) return new Response('Full.', { status: 400, headers: { 'X-Fault': 'badRequest' } })
    stored = JSON.parse(String(body))
    return new Response('200 OK')
  })
})
afterEach(() => {
  session.user = null
})

test('an added favourite is the last one, and keeps its position if it exists', async () => {
  await addFavourites([C, A])
  expect(stored).toEqual([A, B, C])
  expect(isFavourite(C)).toBe(true)
})

test('a favourite moves before another one, or to the end', async () => {
  await addFavourites([C])
  await moveFavourite(C, 0)
  expect(stored).toEqual([C, A, B])
  await moveFavourite(C, 3)
  expect(stored).toEqual([A, B, C])
  await moveFavourite(A, 9)
  expect(stored).toEqual([A, B, C])
})

test('a removed favourite is gone, and a refused change is reverted', async () => {
  await addFavourites([])
  await removeFavourite(A)
  expect(stored).toEqual([B])
  refuses = true
  await expect(addFavourites([C])).rejects.toThrow('Full.')
  expect(favourites.paths).toEqual([B])
})

test('changes made at the same time are all kept, also before the list is loaded', async () => {
  await Promise.all([removeFavourite(A), addFavourites([C]), moveFavourite(C, 0)])
  expect(stored).toEqual([C, B])
  expect(favourites.paths).toEqual([C, B])
})

test('a refused change does not revert the next one', async () => {
  let requests = 0
  serve(({ method, body }) => {
    if (method === 'GET') return Response.json([A])
    requests += 1
    if (requests === 1) return new Response('Full.', { status: 400 })
    stored = JSON.parse(String(body))
    return new Response('200 OK')
  })
  const [refused] = await Promise.allSettled([addFavourites([B]), addFavourites([C])])
  expect(refused.status).toBe('rejected')
  expect(stored).toEqual([A, C])
  expect(favourites.paths).toEqual([A, C])
})

test('a list that arrives after another user has signed in is not shown', async () => {
  session.user = userOf({ id: 1 })
  const list = Promise.withResolvers<Response>()
  serve(() => list.promise)
  const loading = loadFavourites()
  session.user = userOf({ id: 2 })
  list.resolve(Response.json([A]))
  await loading
  expect(favourites.paths).toBeNull()
})

test('another user does not see the list, also if a change of the first user fails by then', async () => {
  session.user = userOf({ id: 1 })
  await loadFavourites()
  const saved = Promise.withResolvers<Response>()
  serve(() => saved.promise)
  const change = addFavourites([C])
  while (!isFavourite(C)) await Bun.sleep(0)
  session.user = userOf({ id: 2 })
  saved.resolve(new Response('Full.', { status: 400, headers: { 'X-Fault': 'badRequest' } }))
  await expect(change).rejects.toThrow('Full.')
  expect(favourites.paths).toBeNull()
})
