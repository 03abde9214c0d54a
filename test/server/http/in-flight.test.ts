/** What a streamed answer holds, and when that is given back. */
import { beforeEach, expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { Env } from '#server/http/context.ts'
import { streamResponse } from '#server/http/in-flight.ts'
import { Metrics } from '#server/http/metrics.ts'

let given: string[]
beforeEach(() => {
  given = []
})

const held = (name: string): Disposable => ({ [Symbol.dispose]: () => void given.push(name) })
/** Everything that can go on has gone on. */
const settled = () => new Promise(setImmediate)

/** An answer of these bytes, for a client that may leave. */
async function answer(bytes: ReadableStream<Uint8Array>, gone = new AbortController()) {
  const http = new Hono<Env>()
  http.get('/', (call) => {
    call.set('requestPermit', held('place'))
    call.set('metrics', new Metrics())
    call.set('path', '/')
    call.set('address', '192.0.2.1')
    call.set('logger', {
      refused: () => void given.push('told'),
      logLine: () => undefined,
      redirect: () => undefined,
    })
    return streamResponse(call, bytes, {}, held('held'))
  })
  return http.request('/', { signal: gone.signal })
}

test('the resources of a response are released when the last byte is sent', async () => {
  const { body } = await answer(new Blob(['bytes']).stream())
  await settled()
  expect(given).toEqual([])
  expect(await new Response(body).text()).toBe('bytes')
  expect(given).toEqual(['place', 'held'])
})

test('the resources of a response are released when it is aborted, and the abort is logged', async () => {
  const { body } = await answer(
    new ReadableStream({
      pull(controller) {
        controller.error(new Error('broken'))
      },
    }),
  )
  await expect(new Response(body).text()).rejects.toThrow('broken')
  expect(given).toEqual(['told', 'place', 'held'])
})

test('the resources of a response stay in use after the client has left, until its bytes are no longer made', async () => {
  for (const leaves of ['after a byte', 'before anything was sent'] as const) {
    given.length = 0
    const gate = Promise.withResolvers<void>()
    const gone = new AbortController()
    const bytes = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => gate.promise,
      },
      { highWaterMark: 0 },
    )
    const { body } = await answer(bytes, gone)
    if (leaves === 'after a byte') {
      const reader = body?.getReader()
      await reader?.read()
      void reader?.cancel()
    } else {
      gone.abort()
    }
    await settled()
    expect([leaves, given]).toEqual([leaves, []])
    gate.resolve()
    await settled()
    expect(given).toEqual(['place', 'held'])
  }
})
