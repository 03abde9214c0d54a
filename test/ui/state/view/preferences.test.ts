import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { currentToken, storeToken } from '#ui/api/client/token.ts'
import { changePreferences, endSession, session, watchSession } from '#ui/state/session/session.ts'
import { serve, tokenOf, userOf } from '../../browser.ts'
import { resetListeners } from '../../listeners.ts'

/** The requests that save a view and their responses, in order: `sent mosaic`, `answered mosaic`. */
let events: string[]
/** Each response waits here until the test releases it. */
let releaseResponses: ((answer: Response) => void)[]
/** The token of each renewal; it contains the view `list`. */
const RENEWED = tokenOf(userOf(), { iat: 2 })

beforeEach(() => {
  watchSession()
  storeToken(tokenOf(userOf()))
  session.user = userOf()
  events = []
  releaseResponses = []
  serve(({ url, body }) => {
    if (url === '/api/renew') return new Response(RENEWED)
    const { viewMode } = JSON.parse(String(body)).data
    events.push(`sent ${viewMode}`)
    const response = Promise.withResolvers<Response>()
    releaseResponses.push((answer) => {
      events.push(`answered ${viewMode}`)
      response.resolve(answer)
    })
    return response.promise
  })
})
afterEach(() => endSession('left'))
afterAll(resetListeners)

/** Waits for a turn of the event loop and until the condition is met. */
async function until(isMet: () => boolean): Promise<void> {
  do await Bun.sleep(0)
  while (!isMet())
}

const arrived = (count: number) => until(() => releaseResponses.length >= count)
const renewed = (token: string) => until(() => currentToken() === token)

test('changes of preferences are sent one after the other', async () => {
  const first = changePreferences({ viewMode: 'mosaic' })
  const second = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(1)
  releaseResponses[0]?.(new Response())
  await first
  await arrived(2)
  releaseResponses[1]?.(new Response())
  await second
  expect(events).toEqual([
    'sent mosaic',
    'answered mosaic',
    'sent mosaic gallery',
    'answered mosaic gallery',
  ])
  expect(session.user?.viewMode).toBe('mosaic gallery')
})

test('a token that was requested earlier does not revert a change', async () => {
  const first = changePreferences({ viewMode: 'mosaic' })
  const second = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(1)
  releaseResponses[0]?.(new Response('', { headers: { 'X-Renew-Token': 'true' } }))
  await first
  await arrived(2)
  await renewed(RENEWED)
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
  await until(() => tokens.length === 1)
  const early = tokenNow()
  await changePreferences({ viewMode: 'mosaic gallery' })
  tokens[0]?.(early)
  await until(() => tokens.length === 2)
  expect(session.user?.viewMode).toBe('mosaic gallery')
  const late = tokenNow()
  tokens[1]?.(late.clone())
  await renewed(await late.text())
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

test('a refused change does not revert a later one of the same preference', async () => {
  const refused = changePreferences({ viewMode: 'mosaic' })
  const next = changePreferences({ viewMode: 'mosaic gallery' })
  await arrived(1)
  releaseResponses[0]?.(new Response('no', { status: 400 }))
  await expect(refused).rejects.toThrow()
  await arrived(2)
  releaseResponses[1]?.(new Response())
  await next
  expect(session.user?.viewMode).toBe('mosaic gallery')
})
