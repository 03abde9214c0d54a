/** Tracks requests from their start to the last byte of the response. */
import type { MiddlewareHandler } from 'hono'
import { networkPrefix } from '#server/lib/network.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall, Env } from '../context/context.ts'
import { asFault } from '../context/faults.ts'
import { WorkClock } from './idle-timeout.ts'
import { whileAllowed } from './while-allowed.ts'

/** How long after a failure the connection is reset. */
const BEFORE_RESET_MS = 100

/** Counts requests. They fail with tooMany (of one address) or unavailable (of all). */
export function countRequests(): MiddlewareHandler<Env> {
  return async (call, next) => {
    call.set('requestPermit', call.var.limits.requests.acquire(networkPrefix(call.var.address)))
    await next()
  }
}

/**
 * A response with a generated body. The request is in flight until the body ends or fails, or the client has left and
 * the source has ended. It fails if access is lost before that. The error is logged.
 *
 * @param workPermit a permit of another limit, released at the end
 */
export function streamResponse(
  call: AnyCall,
  bytes: ReadableStream<Uint8Array>,
  init: ResponseInit,
  workPermit?: Disposable,
): Response {
  const { requestPermit, logger, metrics, path, route, address } = call.var
  call.set('isStreamed', true)
  const stop = new AbortController()
  const accessCheck = whileAllowed(call, (fault) => stop.abort(fault))
  const ends = { clientLeft: call.req.raw.signal, stop: stop.signal }
  const work = new WorkClock(call)
  const body = trackStream(bytes, ends, {
    onBytes: (count) => metrics.countBytes('sent', route, count),
    work,
    onEnd() {
      work[Symbol.dispose]()
      accessCheck[Symbol.dispose]()
      requestPermit[Symbol.dispose]()
      workPermit?.[Symbol.dispose]()
    },
    // The status is already sent; only the log can report the error.
    onFailure(cause) {
      const fault = stop.signal.aborted ? (cause as Fault) : earlyEnd(asFault(cause))
      logger.refused(path, init.status ?? 200, address, fault)
    },
  })
  return new Response(body, init)
}

/** What the log says of a response that failed after its status was sent. */
function earlyEnd(fault: Fault): Fault {
  if (fault.code === 'internal') return fault
  return new Fault(fault.code, `The response ended early: ${fault.message}`)
}

/** The key for concurrency limits: the user id, or the network of a visitor (`networkPrefix`). */
export function limitKey(call: AnyCall): string | number {
  return userIdOf(call) ?? networkPrefix(call.var.address)
}

/** Whether the call has no user, as on public shares. */
export function isAnonymous(call: AnyCall): boolean {
  return userIdOf(call) === undefined
}

function userIdOf({ var: { auth } }: AnyCall): number | undefined {
  return (auth as Partial<typeof auth> | undefined)?.user?.id
}

interface Watcher {
  work: WorkClock
  onBytes(count: number): void
  onEnd(): void
  onFailure(error: unknown): void
}

/**
 * Passes the bytes on and reports their end.
 *
 * @param ends.clientLeft aborted when the client leaves, since a body that was not read yet is not cancelled then
 * @param ends.stop aborts the bytes with its reason
 */
function trackStream(
  bytes: ReadableStream<Uint8Array>,
  { clientLeft, stop }: { clientLeft: AbortSignal; stop: AbortSignal },
  { work, onBytes, onEnd, onFailure }: Watcher,
): ReadableStream<Uint8Array> {
  const reader = bytes.getReader()
  let cancelled: Promise<void> | undefined
  const end = () => {
    clientLeft.removeEventListener('abort', leave)
    onEnd()
  }
  // The client's stream ends at once; `end` is called when the source has ended, too.
  const cancel = (reason?: unknown) => {
    cancelled ??= reader.cancel(reason).finally(end)
    return cancelled
  }
  // No caller waits for the source, so its errors are ignored.
  const leave = () => void cancel().catch(() => undefined)
  clientLeft.addEventListener('abort', leave)
  if (clientLeft.aborted) leave()
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop.addEventListener('abort', () => {
          if (cancelled) return
          leave()
          onFailure(stop.reason)
          controller.error(stop.reason)
        })
      },
      async pull(controller) {
        try {
          work.begin()
          const { done, value } = await reader.read()
          work.end()
          if (cancelled) return
          if (!done) {
            onBytes(value.length)
            return controller.enqueue(value)
          }
          controller.close()
        } catch (error) {
          if (cancelled) return
          onFailure(error)
          // The error resets the connection, with which a client may lose what it has not read yet.
          await Bun.sleep(BEFORE_RESET_MS)
          controller.error(error)
        }
        end()
      },
      cancel,
    },
    // Nothing is read ahead of the consumer.
    { highWaterMark: 0 },
  )
}
