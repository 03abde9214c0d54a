/** When the resources of a streamed response are released. */
import { beforeEach, expect, test } from 'bun:test'
import { Hono } from 'hono'
import type { Env } from '#server/http/context/context.ts'
import { streamResponse } from '#server/http/lifetime/in-flight.ts'
import { Metrics } from '#server/http/observation/metrics.ts'

/** What happened, in its order. */
let events: string[]
beforeEach(() => {
  events = []
})

const resource = (name: string): Disposable => ({
  [Symbol.dispose]: () => void events.push(`${name} released`),
})
/** Waits for everything that needs no further event. */
const settled = () => new Promise(setImmediate)

/** Responds with these bytes; `gone` aborts the request. */
async function respond(bytes: ReadableStream<Uint8Array>, gone = new AbortController()) {
  const http = new Hono<Env>()
  http.get('/', (call) => {
    call.set('requestPermit', resource('permit'))
    call.set('metrics', new Metrics())
    call.set('path', '/')
    call.set('address', '192.0.2.1')
    call.set('logger', {
      refused: () => void events.push('failure logged'),
      logLine: () => undefined,
      redirect: () => undefined,
    })
    return streamResponse(call, bytes, {}, resource('file'))
  })
  return http.request('/', { signal: gone.signal })
}

test('the resources of a response are released when the last byte is sent', async () => {
  const { body } = await respond(new Blob(['bytes']).stream())
  await settled()
  expect(events).toEqual([])
  expect(await new Response(body).text()).toBe('bytes')
  expect(events).toEqual(['permit released', 'file released'])
})

test('the resources of a response are released when its bytes cannot be read, and the failure is logged', async () => {
  const { body } = await respond(
    new ReadableStream({
      pull(controller) {
        controller.error(new Error('broken'))
      },
    }),
  )
  await expect(new Response(body).text()).rejects.toThrow('broken')
  expect(events).toEqual(['failure logged', 'permit released', 'file released'])
})

test('the resources of a response stay in use after the client has left, until its source has stopped', async () => {
  for (const leaves of ['after a byte', 'before anything was sent'] as const) {
    events.length = 0
    const gate = Promise.withResolvers<void>()
    const gone = new AbortController()
    const bytes = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => gate.promise,
      },
      { highWaterMark: 0 },
    )
    const { body } = await respond(bytes, gone)
    if (leaves === 'after a byte') {
      const reader = body?.getReader()
      await reader?.read()
      void reader?.cancel()
    } else {
      gone.abort()
    }
    await settled()
    expect([leaves, events]).toEqual([leaves, []])
    gate.resolve()
    await settled()
    expect(events).toEqual(['permit released', 'file released'])
  }
})
