import { beforeEach, expect, test } from 'bun:test'
import { subscribe } from 'valtio'
import {
  clearFinder,
  finder,
  repeatSearch,
  setFinderFolder,
  setFinderOnlyHere,
  setFinderText,
} from '#ui/state/finder/finder.ts'
import { session } from '#ui/state/session/session.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { sentRequests, serve, userOf } from '../../browser.ts'

const HIT = { path: '/docs/plan.md', name: 'plan.md' }
const TEXT = { path: '/docs/b.txt', name: 'b.txt', line: 1, text: 'the plan' }
/** The searches that fail: part of their URL. */
let failing = 'nothing'

beforeEach(() => {
  failing = 'nothing'
  session.user = userOf({ perm: permissionsOf('download') })
  clearFinder()
  setFinderFolder(parsePath('/docs'))
  serve(({ url }) => {
    if (url.includes(failing))
      return new Response('Busy.', { status: 503, headers: { 'X-Fault': 'unavailable' } })
    return Response.json({
      hits: [url.includes('find-text') ? TEXT : HIT],
      total: 1,
      isPartial: false,
    })
  })
})

/** Waits until the finder has the state. */
function reached(hasState: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!hasState()) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = subscribe(finder, check)
    check()
  })
}

test('a search finds names first, and then texts for users who may download', async () => {
  setFinderText('pl')
  setFinderText('plan')
  await reached(() => finder.status === 'done' && !finder.isReading)
  expect(finder.found.hits.map(({ name }) => name)).toEqual(['plan.md'])
  expect(finder.texts.hits).toHaveLength(1)
  expect(sentRequests.filter(({ url }) => url.includes('query=pl&'))).toEqual([])
})

test('a search without the right to download reads no texts', async () => {
  session.user = userOf({ perm: permissionsOf() })
  setFinderText('plan')
  await reached(() => finder.status === 'done')
  expect(finder.isReading).toBe(false)
  expect(sentRequests).toHaveLength(1)
})

test('a failed search is shown, and can be repeated', async () => {
  failing = 'find'
  setFinderText('plan')
  await reached(() => finder.status === 'failed')
  expect(finder.fault?.code).toBe('unavailable')
  failing = 'nothing'
  repeatSearch()
  await reached(() => finder.status === 'done')
  expect(finder.fault).toBeNull()
})

test('if the contents cannot be searched, the hits among the names stay with the fault', async () => {
  failing = 'find-text'
  setFinderText('plan')
  await reached(() => finder.status === 'failed')
  expect(finder.found.hits).toHaveLength(1)
  expect(finder.fault?.code).toBe('unavailable')
  expect(finder.isReading).toBe(false)
})

test('an empty text ends the search whose response is not complete yet', async () => {
  const body = new TransformStream()
  serve(() => new Response(body.readable))
  setFinderText('plan')
  while (sentRequests.length === 0) await Bun.sleep(1)
  setFinderText('')
  await body.writable.close()
  await Bun.sleep(0)
  expect(finder.status).toBe('idle')
  expect(finder.fault).toBeNull()
})

test('a search in the folder alone says so to the server, and an empty text starts none', async () => {
  setFinderText('plan')
  setFinderOnlyHere(true)
  await reached(() => finder.status === 'done')
  expect(sentRequests.at(0)?.url).toContain('only=true')
  setFinderText(' ')
  expect(finder.status).toBe('idle')
  expect(finder.found.hits).toEqual([])
})

test('names with the words are shown before the similar ones, which are added below', async () => {
  const similar = Promise.withResolvers<void>()
  const other = { path: '/docs/p-l-a-n.md', name: 'p-l-a-n.md' }
  serve(async ({ url }) => {
    if (url.includes('find-text')) return Response.json({ hits: [], isPartial: false })
    if (url.includes('exact=true'))
      return Response.json({ hits: [HIT], total: 1, isPartial: false, hasSimilar: true })
    await similar.promise
    return Response.json({ hits: [other, HIT], total: 2, isPartial: false })
  })
  setFinderText('plan')
  await reached(() => finder.status === 'done')
  expect(finder.found.hits.map(({ name }) => name)).toEqual(['plan.md'])
  expect(finder.isFindingMore).toBe(true)
  similar.resolve()
  await reached(() => !finder.isFindingMore)
  expect(finder.found.hits.map(({ name }) => name)).toEqual(['plan.md', 'p-l-a-n.md'])
  expect(finder).toMatchObject({ firstCount: 1, found: { total: 2 } })
})

test('while only similar names may be found, the search runs, and finds them', async () => {
  serve(({ url }) => {
    if (url.includes('find-text')) return Response.json({ hits: [], isPartial: false })
    if (url.includes('exact=true'))
      return Response.json({ hits: [], total: 0, isPartial: false, hasSimilar: true })
    return Response.json({ hits: [HIT], total: 1, isPartial: false })
  })
  const states: string[] = []
  const unsubscribe = subscribe(finder, () => states.push(`${finder.status} ${finder.found.total}`))
  setFinderText('plna')
  await reached(() => finder.status === 'done')
  unsubscribe()
  expect(finder.found.hits).toHaveLength(1)
  expect(states).not.toContain('done 0')
})
