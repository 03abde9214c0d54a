import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { storeToken } from '#ui/api/token.ts'
import { changePreferences, endSession, session, watchSession } from '#ui/state/session.ts'
import { serve, tokenOf, userOf } from '../browser.ts'
import { resetListeners } from '../listeners.ts'

/** The requests, in order; each response waits until it is released. */
let notified: string[]
let releaseResponses: ((answer: Response) => void)[]

beforeEach(() => {
  watchSession()
  storeToken(tokenOf(userOf()))
  session.user = userOf()
  notified = []
  releaseResponses = []
  serve(({ url, body }) => {
    if (url === '/api/renew') return new Response(tokenOf(userOf(), { iat: 2 }))
    notified.push(JSON.parse(String(body)).data.viewMode)
    return new Promise<Response>((resolve) => releaseResponses.push(resolve))
  })
})
afterEach(() => endSession('left'))
afterAll(resetListeners)

const arrived = async (count: number) => {
  while (releaseResponses.length < count) await Bun.sleep(1)
}

test('changes of preferences are sent one after the other', async () => {
  const first = changePreferences({ viewMode: 'mosaic' })
  const second = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(1)
  await Bun.sleep(5)
  expect(notified).toEqual(['mosaic'])
  releaseResponses[0]?.(new Response())
  await first
  await arrived(2)
  expect(notified).toEqual(['mosaic', 'mosaic gallery'])
  releaseResponses[1]?.(new Response())
  await second
  expect(session.user?.viewMode).toBe('mosaic gallery')
})

test('a token that was requested earlier does not revert a change', async () => {
  const first = changePreferences({ viewMode: 'mosaic' })
  const second = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(1)
  releaseResponses[0]?.(new Response('', { headers: { 'X-Renew-Token': 'true' } }))
  await first
  await arrived(2)
  await Bun.sleep(5)
  expect(session.user?.viewMode).toBe('mosaic gallery')
  releaseResponses[1]?.(new Response())
  await second
})

test('a token that was requested before a change was saved does not revert it when it arrives later', async () => {
  const tokens: ((answer: Response) => void)[] = []
  let viewMode = 'list'
  serve(({ url, body }) => {
    if (url === '/api/renew') return new Promise<Response>((resolve) => tokens.push(resolve))
    viewMode = JSON.parse(String(body)).data.viewMode
    return new Response('', { headers: { 'X-Renew-Token': 'true' } })
  })
  const tokenNow = () => new Response(tokenOf(userOf({ viewMode } as never), { iat: 2 }))
  await changePreferences({ viewMode: 'mosaic' })
  while (tokens.length < 1) await Bun.sleep(1)
  const early = tokenNow()
  await changePreferences({ viewMode: 'mosaic gallery' })
  tokens[0]?.(early)
  while (tokens.length < 2) await Bun.sleep(1)
  expect(session.user?.viewMode).toBe('mosaic gallery')
  tokens[1]?.(tokenNow())
  await Bun.sleep(5)
  expect(session.user?.viewMode).toBe('mosaic gallery')
})

test('a refused change is reverted, and the next change is saved', async () => {
  const refused = changePreferences({ viewMode: 'mosaic' })
  await arrived(1)
  releaseResponses[0]?.(new Response('no', { status: 400 }))
  await expect(refused).rejects.toThrow()
  expect(session.user?.viewMode).toBe('list')
  const next = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(2)
  releaseResponses[1]?.(new Response())
  await next
  expect(session.user?.viewMode).toBe('mosaic gallery')
})
