import { beforeEach, expect, test } from 'bun:test'
import {
  addFavourites,
  favourites,
  isFavourite,
  moveFavourite,
  removeFavourite,
} from '#ui/state/favourites.ts'
import { parsePath } from '#wire/paths.ts'
import { serve } from '../browser.ts'

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
  await moveFavourite(C, 9)
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
