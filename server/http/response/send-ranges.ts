/** Sends several ranges of a file in one response: `multipart/byteranges` (RFC 9110 section 14.6). */
import { randomBytes } from 'node:crypto'
import { streamOf } from '#server/archives/streams/stream-of.ts'
import type { ByteRange, Opened } from '#server/storage/node.ts'
import type { AnyCall } from '../context/context.ts'
import { sendBytes } from './send-bytes.ts'

/**
 * Sends ranges in the order of the request. Each is read when the client has received the one before it.
 *
 * @param opened closed at the end, also of a failure
 * @param headers those of the whole file
 * @throws Error if a small file became shorter while it was read
 */
export async function sendRanges(
  call: AnyCall,
  opened: Opened,
  ranges: readonly ByteRange[],
  headers: Headers,
): Promise<Response> {
  const boundary = randomBytes(BOUNDARY_BYTES).toString('hex')
  const type = headers.get('Content-Type') ?? ''
  const { sizeBytes } = opened.node
  const parts = ranges.map((range, index): Part => {
    const start = `${index === 0 ? '' : '\r\n'}--${boundary}`
    const name = `Content-Range: bytes ${range.first}-${range.last}/${sizeBytes}`
    return { range, head: Buffer.from(`${start}\r\n${name}\r\nContent-Type: ${type}\r\n\r\n`) }
  })
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const length = parts.reduce(
    (sum, { range, head }) => sum + head.length + range.last + 1 - range.first,
    end.length,
  )
  headers.set('Content-Type', `multipart/byteranges; boundary=${boundary}`)
  headers.set('Content-Length', String(length))
  const init = { status: 206, headers }
  if (call.req.method === 'HEAD') {
    opened.close()
    return new Response(null, init)
  }
  const body = streamOf(bodyOf(opened, parts, end), async () => opened.close())
  return sendBytes(call, body, length, init)
}

/** So long that it does not occur in a file. */
const BOUNDARY_BYTES = 30

interface Part {
  range: ByteRange
  /** The boundary and the headers. */
  head: Uint8Array
}

async function* bodyOf(
  opened: Opened,
  parts: readonly Part[],
  end: Uint8Array,
): AsyncGenerator<Uint8Array, void> {
  for (const { range, head } of parts) {
    yield head
    for await (const bytes of opened.part(range)) yield bytes
  }
  yield end
}
