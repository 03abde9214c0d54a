/** The requests for the metadata of a gallery, one after the other. */
import { afterEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import { readAlbumFacts } from '#ui/state/folder/album.ts'
import { parsePath } from '#wire/paths.ts'

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

const { signal } = new AbortController()
let asked: string[] = []

/** Serves a folder of `count` pictures, with a thousand on each page. */
function serve(count: number): void {
  asked = []
  globalThis.fetch = (async (url: string) => {
    const from = Number(new URL(url, 'http://localhost').searchParams.get('from'))
    asked.push(String(from))
    const end = Math.min(count, from + 1000)
    const items = Array.from({ length: end - from }, (_, at) => ({
      name: `${from + at}.jpg`,
      width: 3,
      taken: '2026-05-01T12:00:00',
    }))
    return Response.json(end < count ? { items, next: end } : { items })
  }) as unknown as typeof fetch
}

test('a folder is requested page by page until all pictures are known', async () => {
  serve(2500)
  const facts = await readAlbumFacts(parsePath('/trip'), signal)
  expect(asked).toEqual(['0', '1000', '2000'])
  expect(facts.size).toBe(2500)
  expect(facts.get('2499.jpg')?.taken).toBe('2026-05-01T12:00:00')
})

test('a folder with too many pictures stops at the limit and has no dates', async () => {
  serve(ON_DEMAND_LIMITS.albumMax * 3)
  const facts = await readAlbumFacts(parsePath('/trip'), signal)
  expect(asked).toHaveLength(ON_DEMAND_LIMITS.albumMax / 1000)
  expect(facts.get('0.jpg')).toEqual({ width: 3 })
})
