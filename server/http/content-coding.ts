/** Compresses large text responses if the client accepts it (RFC 9110 section 12.5.3). */
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import type { AnyCall } from './context.ts'

/** Smaller bodies are not compressed. */
const SMALL_BYTES = 16 * 1024
/** The fastest level: it reduces a listing to a tenth. */
const LEVEL = 1

const gzipInThread = promisify(gzip)

/** A body in its transfer encoding. */
export interface EncodedBody {
  bytes: Uint8Array<ArrayBuffer>
  /** The headers for the encoding; empty if it is not compressed. */
  headers: Record<string, string>
}

/** The header of a body that another request may get in another encoding. */
export const VARY = { Vary: 'Accept-Encoding' }

/** Compresses a text in another thread if it is not small and the client accepts an encoding. */
export async function encodeBody(
  call: AnyCall,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<EncodedBody> {
  if (bytes.length < SMALL_BYTES) return { bytes, headers: {} }
  const accepted = acceptedEncodings(call)
  if (accepted.has('zstd')) {
    const small = await Bun.zstdCompress(bytes, { level: LEVEL })
    return { bytes: new Uint8Array(small), headers: { ...VARY, 'Content-Encoding': 'zstd' } }
  }
  if (accepted.has('gzip')) {
    const small = await gzipInThread(bytes, { level: LEVEL })
    return { bytes: new Uint8Array(small), headers: { ...VARY, 'Content-Encoding': 'gzip' } }
  }
  return { bytes, headers: VARY }
}

/**
 * A response of unknown length, compressed by gzip if the client accepts it.
 *
 * @param first the bytes that are sent at once
 */
export function gzipAfter(
  call: AnyCall,
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): { bytes: ReadableStream<Uint8Array>; headers: Record<string, string> } {
  const isCompressed = acceptedEncodings(call).has('gzip')
  const sent = isCompressed ? createGzip({ level: LEVEL }) : new PassThrough()
  sent.write(first)
  if ('flush' in sent) sent.flush()
  // The reader of the stream gets the error.
  pipeline(Readable.from(rest), sent).catch(() => undefined)
  const headers = isCompressed ? { 'Content-Encoding': 'gzip' } : {}
  return {
    bytes: Readable.toWeb(sent) as unknown as ReadableStream<Uint8Array>,
    headers: { ...VARY, ...headers },
  }
}

/** Whether `encodeBody` compresses a large body. */
export function acceptsCompression(call: AnyCall): boolean {
  const accepted = acceptedEncodings(call)
  return accepted.has('zstd') || accepted.has('gzip')
}

/** @returns the encodings that a client accepts, without those with `q=0` */
function acceptedEncodings(call: AnyCall): Set<string> {
  const items = (call.req.header('accept-encoding') ?? '').toLowerCase().split(',')
  const accepted = items.filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
  return new Set(accepted.map((item) => (item.split(';')[0] ?? '').trim()))
}
