import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { session } from '#ui/state/session/session.ts'
import { followAppearance } from '#ui/state/view/appearance.ts'
import { layout } from '#ui/state/view/layout.ts'
import type { Appearance } from '#wire/api/appearance.ts'
import { serve, userOf } from '../../browser.ts'

/** Requests and their responses, in order: `sent compact`, `stored compact`. */
let events: string[]
/** What the server has stored for the user. */
let loaded: Appearance
/** Each response to a change waits here until the test sends it. */
let responses: ((status: number) => void)[]
let stopFollowing: () => void

beforeAll(() => {
  stopFollowing = followAppearance()
})
afterAll(() => {
  stopFollowing()
  session.user = null
})

beforeEach(async () => {
  events = []
  responses = []
  loaded = { density: 'comfortable' }
  serve(({ method, body }) => {
    if (method === 'GET') {
      events.push('loaded')
      return Response.json(loaded)
    }
    const { density } = JSON.parse(String(body))
    events.push(`sent ${density}`)
    const response = Promise.withResolvers<Response>()
    responses.push((status) => {
      events.push(`${status === 200 ? 'stored' : 'refused'} ${density}`)
      response.resolve(new Response('', { status }))
    })
    return response.promise
  })
  session.user = null
  await Promise.resolve()
  session.user = userOf()
  await until(() => events.includes('loaded') && layout.density === 'comfortable')
  events.length = 0
})

async function until(isReached: () => boolean): Promise<void> {
  do await Bun.sleep(0)
  while (!isReached())
}

test('changes in quick succession are stored one after the other', async () => {
  layout.density = 'compact'
  await until(() => responses.length === 1)
  layout.density = 'comfortable'
  await Promise.resolve()
  responses[0]?.(200)
  await until(() => responses.length === 2)
  responses[1]?.(200)
  expect(events).toEqual([
    'sent compact',
    'stored compact',
    'sent comfortable',
    'stored comfortable',
  ])
})

test('after a failure, the next change stores all choices', async () => {
  layout.density = 'compact'
  await until(() => responses.length === 1)
  responses[0]?.(500)
  layout.typeColumn = !layout.typeColumn
  await until(() => responses.length === 2)
  responses[1]?.(200)
  expect(events).toEqual(['sent compact', 'refused compact', 'sent compact', 'stored compact'])
})

test('a change of the earlier user that is stored late is not taken for one of the next user', async () => {
  layout.density = 'compact'
  await until(() => responses.length === 1)
  session.user = userOf({ id: 2 })
  await until(() => events.includes('loaded') && layout.density === 'comfortable')
  responses[0]?.(200)
  layout.density = 'compact'
  await until(() => responses.length === 2)
  responses[1]?.(200)
  expect(events.at(-1)).toBe('stored compact')
})

test('a user who has chosen nothing does not get the choices of the user before', async () => {
  loaded = { theme: 'dark', density: 'compact', sharedColumn: true }
  session.user = userOf({ id: 2 })
  await until(() => layout.theme === 'dark')
  loaded = {}
  session.user = null
  await Promise.resolve()
  session.user = userOf({ id: 3 })
  await until(() => layout.density === 'comfortable')
  expect(layout).toMatchObject({ theme: null, density: 'comfortable', sharedColumn: false })
  layout.typeColumn = true
  await until(() => responses.length === 1)
  responses[0]?.(200)
  expect(events.at(-1)).toBe('stored comfortable')
})
