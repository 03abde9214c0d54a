/** An open file as the body of an answer, whose length is said. */
import { statSync } from 'node:fs'
import type { ByteRange, Opened } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from './context.ts'
import { stream } from './in-flight.ts'
import { whileAllowed } from './still.ts'

/** As much is read before the answer begins: the disk is asked once, and nothing stays open. */
const SMALL_BYTES = 256 * 1024
/** The shortest silence that a connection can be given. */
const AT_ONCE_SEC = 1

/**
 * Sends `opened.bytes`. Larger files are handed to the runtime by their descriptor: it says their
 * length, which it drops of every stream (oven-sh/bun#10507). The descriptor stays open, and the
 * request under way, until the last byte is sent or the client is gone. A file that becomes shorter
 * meanwhile ends the connection: its length is on its way already. So does a request that may not go on.
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
    return new Response(cached ?? (await new Response(opened.bytes).bytes()), init)
  }
  if (disk === undefined) return stream(call, opened.bytes, init)
  const { env, req } = call
  const { requestSlot, logger, path, address } = call.var
  call.set('streams', true)
  const isShorter = () => statSync(disk).size <= span.last
  const asking = whileAllowed(call, (fault) => {
    if (!env.hangUp(req.raw)) return
    // A client that reads nothing does not see the end of it.
    env.timeout(req.raw, AT_ONCE_SEC)
    logger.refused(path, 200, address, fault)
  })
  void env
    .ended(req.raw, disk, () => {
      if (isShorter()) env.timeout(req.raw, AT_ONCE_SEC)
    })
    .then(() => {
      if (isShorter()) logger.refused(path, 200, address, BROKE_OFF)
      asking[Symbol.dispose]()
      opened.close()
      requestSlot[Symbol.dispose]()
    })
  return new Response(Bun.file(disk).slice(span.first, span.last + 1), init)
}

const BROKE_OFF = new Fault('internal', 'It broke off.', {
  cause: new Error('The file became shorter while it was sent.'),
})

function spanOf({ node, range }: Opened): ByteRange {
  return range ?? { first: 0, last: node.sizeBytes - 1 }
}
