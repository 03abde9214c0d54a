/** Large texts travel compressed, where the client takes it (RFC 9110 section 12.5.3). */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { AnyCall } from './context.ts'

/** Less than this is as fast as it is. */
const SMALL_BYTES = 16 * 1024
/** The fastest: it takes nine tenths of a listing away. */
const LEVEL = 1

const gzipAside = promisify(gzip)

/** What the bytes of an answer are, as they travel. */
export interface Coded {
  bytes: Uint8Array<ArrayBuffer>
  /** The headers that say so; empty for bytes as they are. */
  headers: Record<string, string>
}

/** The bytes of a text, compressed by another thread where that pays. */
export async function coded(call: AnyCall, bytes: Uint8Array<ArrayBuffer>): Promise<Coded> {
  const vary = { Vary: 'Accept-Encoding' }
  if (bytes.length < SMALL_BYTES) return { bytes, headers: {} }
  const taken = takenBy(call)
  if (taken.has('zstd')) {
    const small = await Bun.zstdCompress(bytes, { level: LEVEL })
    return { bytes: new Uint8Array(small), headers: { ...vary, 'Content-Encoding': 'zstd' } }
  }
  if (taken.has('gzip')) {
    const small = await gzipAside(bytes, { level: LEVEL })
    return { bytes: new Uint8Array(small), headers: { ...vary, 'Content-Encoding': 'gzip' } }
  }
  return { bytes, headers: vary }
}

/** The codings that a client names, but for those it refuses with `q=0`. */
function takenBy(call: AnyCall): Set<string> {
  const items = (call.req.header('accept-encoding') ?? '').toLowerCase().split(',')
  const taken = items.filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
  return new Set(taken.map((item) => (item.split(';')[0] ?? '').trim()))
}
