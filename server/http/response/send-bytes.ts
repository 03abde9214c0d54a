/** Sends bytes that are generated. */
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'
import { withoutIdleTimeout } from '../lifetime/idle-timeout.ts'
import { streamResponse } from '../lifetime/in-flight.ts'

/** At most this much is generated before it is sent. */
const SMALL_BYTES = 1024 * 1024

/**
 * Sends a stream. A small body is generated in memory, because Bun drops the Content-Length of a streamed one
 * (oven-sh/bun#10507), and because its failure can still be reported. The length of a larger one is in the response to
 * HEAD.
 *
 * @param sizeBytes undefined if it is not known
 * @param workPermit a permit for the work, released when the stream ends
 * @throws what the stream throws, if it is small; the permit is not released then
 */
export async function sendBytes(
  call: AnyCall,
  bytes: ByteStream,
  sizeBytes: number | undefined,
  init: ResponseInit,
  workPermit?: Disposable,
): Promise<Response> {
  if (sizeBytes === undefined || sizeBytes > SMALL_BYTES) {
    return streamResponse(call, bytes, init, workPermit)
  }
  using _ = withoutIdleTimeout(call)
  const body = await allOf(bytes, call.req.raw.signal)
  workPermit?.[Symbol.dispose]()
  call.var.metrics.countBytes('sent', call.var.route, body.length)
  return new Response(body, init)
}

/** @throws Fault aborted if the client leaves; what the stream throws */
async function allOf(bytes: ByteStream, clientLeft: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  // `Response` and `Array.fromAsync` never settle if the stream fails.
  const reader = bytes.getReader()
  // A read that is pending ends with the stream.
  const leave = () => void reader.cancel().catch(() => undefined)
  clientLeft.addEventListener('abort', leave)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      parts.push(part.value)
  } finally {
    clientLeft.removeEventListener('abort', leave)
  }
  if (clientLeft.aborted) throw new Fault('aborted', 'The client has left.')
  return Buffer.concat(parts)
}
