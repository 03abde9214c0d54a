/** Sends an open file with its Content-Length. */
import { statSync } from 'node:fs'
import type { ByteRange, Opened } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'
import { streamResponse } from '../lifetime/in-flight.ts'
import { whileAllowed } from '../lifetime/while-allowed.ts'

/** Smaller files are read at once. */
const SMALL_BYTES = 256 * 1024
/** The shortest idle timeout of a connection. */
const SHORTEST_TIMEOUT_SEC = 1

/**
 * Sends `opened.bytes`. A larger file is passed to Bun as a descriptor, because Bun drops the Content-Length of
 * streams (oven-sh/bun#10507). The descriptor stays open, and the request in flight, until the last byte is sent or
 * the client has left. If the file becomes shorter or access is lost, the connection is closed, because the length
 * was already sent.
 *
 * @throws Fault internal for a small file that became shorter while it was read
 */
export async function sendFile(
  call: AnyCall,
  opened: Opened,
  init: ResponseInit,
): Promise<Response> {
  const { disk } = opened
  const span = spanOf(opened)
  const length = span.last + 1 - span.first
  if (length <= SMALL_BYTES) {
    const cached = opened.cached?.()
    if (cached) opened.close()
    const bytes = cached ?? (await new Response(opened.bytes).bytes())
    call.var.metrics.countBytes('sent', call.var.route, length)
    return new Response(bytes, init)
  }
  if (disk === undefined) return streamResponse(call, opened.bytes, init)
  const { env, req } = call
  const { requestPermit, logger, metrics, path, route, address } = call.var
  call.set('isStreamed', true)
  const isShorter = () => statSync(disk).size <= span.last
  const accessCheck = whileAllowed(call, (fault) => {
    if (!env.abortResponse(req.raw)) return
    // A client that does not read would not notice the end.
    env.timeout(req.raw, SHORTEST_TIMEOUT_SEC)
    logger.refused(path, 200, address, fault)
  })
  // The response is returned before it is sent, so its end is not awaited.
  void env
    .ended(req.raw, disk, () => {
      if (isShorter()) env.timeout(req.raw, SHORTEST_TIMEOUT_SEC)
    })
    .then(() => {
      if (isShorter()) logger.refused(path, 200, address, TRUNCATED)
      // If the client has left, the number of bytes that it received is not known.
      else if (!req.raw.signal.aborted) metrics.countBytes('sent', route, length)
      accessCheck[Symbol.dispose]()
      opened.close()
      requestPermit[Symbol.dispose]()
    })
  return new Response(Bun.file(disk).slice(span.first, span.last + 1), init)
}

const TRUNCATED = new Fault('internal', 'The response ended early because of an error.', {
  cause: new Error('The file became shorter while it was sent.'),
})

function spanOf({ node, range }: Opened): ByteRange {
  return range ?? { first: 0, last: node.sizeBytes - 1 }
}
