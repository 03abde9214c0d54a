/** What is under way: requests from their beginning to the last byte of their answers. */
import type { MiddlewareHandler } from 'hono'
import { BOUNDS } from '#server/access/bounds.ts'
import { networkOf } from '#server/access/network.ts'
import { Places } from '#server/access/places.ts'
import type { Call, Env } from './context.ts'

/** Walks through whole trees. */
export const searches = new Places(BOUNDS.searches)

/** @throws Fault tooMany (of one address), unavailable (of all) */
export function countRequests(): MiddlewareHandler<Env> {
  const places = new Places(BOUNDS.requests)
  return async (call, next) => {
    call.set('place', places.take(networkOf(call.var.address)))
    await next()
    if (!call.var.streams) call.var.place[Symbol.dispose]()
  }
}

/**
 * An answer whose body is made while it is sent. The request is under way until the body ends, breaks
 * off or is not wanted any more.
 *
 * @param held is given up then, too
 */
export function stream(
  call: Call,
  bytes: ReadableStream<Uint8Array>,
  init: ResponseInit,
  held?: Disposable,
): Response {
  const { place } = call.var
  call.set('streams', true)
  const body = followed(bytes, () => {
    place[Symbol.dispose]()
    held?.[Symbol.dispose]()
  })
  return new Response(body, init)
}

/** Whose places a caller takes: the person's, or those of a stranger's address. */
export function whose({ var: { entrance, address } }: Call): string | number {
  // Strangers come through public links, where nobody is signed in.
  return (entrance as Partial<typeof entrance> | undefined)?.user?.id ?? networkOf(address)
}

function followed(bytes: ReadableStream<Uint8Array>, over: () => void): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          controller.error(error)
        }
        over()
      },
      async cancel(reason) {
        try {
          await reader.cancel(reason)
        } finally {
          over()
        }
      },
    },
    // Nothing is read ahead of whoever asks.
    { highWaterMark: 0 },
  )
}
