/** What is under way: requests from their beginning to the last byte of their answers. */
import type { MiddlewareHandler } from 'hono'
import { networkOf } from '#server/access/network.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall, Env } from './context.ts'
import { whileAllowed } from './still.ts'

/** @throws Fault tooMany (of one address), unavailable (of all) */
export function countRequests(): MiddlewareHandler<Env> {
  return async (call, next) => {
    call.set('requestSlot', call.var.limits.requests.acquire(networkOf(call.var.address)))
    await next()
  }
}

/**
 * An answer whose body is made while it is sent. The request is under way until the body ends, breaks
 * off, or the client is gone and what made the body has ended. It breaks off when the request may not go
 * on. Why it broke off is told to the log.
 *
 * @param held is given up then, too
 */
export function stream(
  call: AnyCall,
  bytes: ReadableStream<Uint8Array>,
  init: ResponseInit,
  held?: Disposable,
): Response {
  const { requestSlot, logger, path, address } = call.var
  call.set('streams', true)
  const stop = new AbortController()
  const asking = whileAllowed(call, (fault) => stop.abort(fault))
  const ends = { gone: call.req.raw.signal, stop: stop.signal }
  const body = followed(bytes, ends, {
    over() {
      asking[Symbol.dispose]()
      requestSlot[Symbol.dispose]()
      held?.[Symbol.dispose]()
    },
    // The status is on its way already; only the log can say what became of the rest.
    broke(cause) {
      const fault = stop.signal.aborted
        ? (cause as Fault)
        : new Fault('internal', 'It broke off.', { cause })
      logger.refused(path, 200, address, fault)
    },
  })
  return new Response(body, init)
}

/** Whose places a caller takes: the person's, or those of a stranger's address. */
export function limitKey(call: AnyCall): string | number {
  return userIdOf(call) ?? networkOf(call.var.address)
}

/** Strangers come through public links, where nobody is signed in. */
export function isAnonymous(call: AnyCall): boolean {
  return userIdOf(call) === undefined
}

function userIdOf({ var: { auth } }: AnyCall): number | undefined {
  return (auth as Partial<typeof auth> | undefined)?.user?.id
}

/**
 * The same bytes, of which somebody is told when they are over.
 *
 * @param ends.gone the client's leaving: a body of which nothing was asked yet is not cancelled by it
 * @param ends.stop breaks the bytes off, with its reason
 */
function followed(
  bytes: ReadableStream<Uint8Array>,
  { gone, stop }: { gone: AbortSignal; stop: AbortSignal },
  { over, broke }: { over(): void; broke(failure: unknown): void },
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  let cancelled: Promise<void> | undefined
  const end = () => {
    gone.removeEventListener('abort', leave)
    over()
  }
  // The reader is told of its end at once; whoever makes the bytes may need a moment more.
  const cancel = (reason?: unknown) => {
    cancelled ??= reader.cancel(reason).finally(end)
    return cancelled
  }
  const leave = () => void cancel().catch(() => undefined)
  gone.addEventListener('abort', leave)
  if (gone.aborted) leave()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop.addEventListener('abort', () => {
          if (cancelled) return
          leave()
          broke(stop.reason)
          controller.error(stop.reason)
        })
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (cancelled) return
          if (!done) return controller.enqueue(value)
          controller.close()
        } catch (error) {
          if (cancelled) return
          broke(error)
          controller.error(error)
        }
        end()
      },
      cancel,
    },
    // Nothing is read ahead of whoever asks.
    { highWaterMark: 0 },
  )
}
