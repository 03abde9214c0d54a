import { beforeEach, expect, test } from 'bun:test'
import { subscribe } from 'valtio'
import {
  clearFinder,
  finder,
  repeatSearch,
  setFinderFolder,
  setFinderOnlyHere,
  setFinderText,
} from '#ui/state/finder.ts'
import { session } from '#ui/state/session.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { sentRequests, serve, userOf } from '../browser.ts'

const HIT = { path: '/docs/plan.md', name: 'plan.md' }
const TEXT = { path: '/docs/b.txt', name: 'b.txt', line: 1, text: 'the plan' }
let fails = false

beforeEach(() => {
  fails = false
  session.user = userOf({ perm: permissionsOf('download') })
  clearFinder()
  setFinderFolder(parsePath('/docs'))
  serve(({ url }) => {
    if (fails) return new Response('Busy.', { status: 503, headers: { 'X-Fault': 'unavailable' } })
    return Response.json({ hits: [url.includes('find-text') ? TEXT : HIT], isPartial: false })
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
  expect(finder.names.hits.map(({ name }) => name)).toEqual(['plan.md'])
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
  fails = true
  setFinderText('plan')
  await reached(() => finder.status === 'failed')
  expect(finder.fault?.code).toBe('unavailable')
  fails = false
  repeatSearch()
  await reached(() => finder.status === 'done')
  expect(finder.fault).toBeNull()
})

test('a search below the folder says so to the server, and an empty text starts none', async () => {
  setFinderText('plan')
  setFinderOnlyHere(true)
  await reached(() => finder.status === 'done')
  expect(sentRequests.at(0)?.url).toContain('only=true')
  setFinderText(' ')
  expect(finder.status).toBe('idle')
  expect(finder.names.hits).toEqual([])
})
