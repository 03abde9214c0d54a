import { afterAll, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { listenToFolder } from '#ui/api/client/events.ts'
import { parsePath } from '#wire/paths.ts'
import { sentRequests, serve } from '../../browser.ts'

/** An EventSource whose answers the test gives. */
class FakeSource {
  static readonly CLOSED = 2
  readyState = 0
  readonly #listeners = new Map<string, () => void>()

  constructor() {
    source = this
  }

  addEventListener(type: string, listener: () => void): void {
    this.#listeners.set(type, listener)
  }

  close(): void {
    this.readyState = FakeSource.CLOSED
  }

  /** As browsers do after a response that is no stream. */
  fail(readyState: number): void {
    this.readyState = readyState
    this.#listeners.get('error')?.()
  }
}

let source: FakeSource
const before = Reflect.get(globalThis, 'EventSource')

beforeEach(() => {
  Reflect.set(globalThis, 'EventSource', FakeSource)
})
afterAll(() => {
  Reflect.set(globalThis, 'EventSource', before)
})

function listen() {
  const closed = Promise.withResolvers<boolean>()
  const listener = { onChange() {}, onAlso() {}, onJobs() {}, onLeftOut() {}, onOpen() {} }
  const stop = listenToFolder(parsePath('/docs'), [], { ...listener, onClosed: closed.resolve })
  return { closed: closed.promise, stop }
}

test.each([
  [401, 'unauthenticated', true],
  [403, 'forbidden', true],
  [404, 'notFound', true],
  [415, 'unsupported', true],
  [429, 'tooMany', false],
  [503, 'unavailable', false],
  [502, undefined, false],
  [504, undefined, false],
  [200, undefined, false],
] as const)('a stream that is answered with %p (%p) stays closed: %p', async (...row) => {
  const [status, fault, isFinal] = row
  serve(() => new Response('', { status, headers: fault ? { 'X-Fault': fault } : {} }))
  const { closed } = listen()
  source.fail(FakeSource.CLOSED)
  expect(await closed).toBe(isFinal)
})

test('a stream without a connection is not refused for good', async () => {
  serve(() => new Error('no connection'))
  const { closed } = listen()
  source.fail(FakeSource.CLOSED)
  expect(await closed).toBe(false)
})

test('a stream that the browser opens again is left to the browser', () => {
  serve(() => new Response(''))
  listen()
  source.fail(0)
  expect(sentRequests).toEqual([])
})

test('after the end of the stream nothing is reported', async () => {
  const held = Promise.withResolvers<Response>()
  serve(() => held.promise)
  const { closed, stop } = listen()
  source.fail(FakeSource.CLOSED)
  stop()
  held.resolve(new Response('', { status: 404 }))
  // The response is processed in microtasks, which end before this timer.
  await Bun.sleep(0)
  expect(await Promise.race([closed, 'nothing'])).toBe('nothing')
})
