/** Compresses large text responses if the client accepts it (RFC 9110 section 12.5.3). */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, gzip } from 'node:zlib'
import { streamOf } from '#server/archives/streams/stream-of.ts'
import type { AnyCall } from '../context/context.ts'

/** Smaller bodies are not compressed. */
const SMALL_BYTES = 16 * 1024
/** The fastest level: it reduces a listing to a tenth. */
const LEVEL = 1

const gzipInThread = promisify(gzip)

/** A body in its content coding. */
export interface EncodedBody {
  bytes: Uint8Array<ArrayBuffer>
  /** The headers for the coding; empty if the body is too small to be compressed. */
  headers: Record<string, string>
}

/** The header of a body whose coding depends on the request. */
const VARY = { Vary: 'Accept-Encoding' }

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
 * Compresses a text that is generated while it is sent, if the client accepts it.
 *
 * @param first the bytes that are sent at once
 */
export function encodeStream(
  call: AnyCall,
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): { bytes: ReadableStream<Uint8Array>; headers: Record<string, string> } {
  const coding = streamCodingOf(call)
  if (!coding) return { bytes: streamOf(concatenated(first, rest)), headers: VARY }
  const compressor = coding.create()
  compressor.write(first)
  compressor.flush()
  // The reader of the stream gets the error.
  pipeline(Readable.from(rest), compressor).catch(() => undefined)
  return {
    bytes: Readable.toWeb(compressor) as unknown as ReadableStream<Uint8Array>,
    headers: { ...VARY, 'Content-Encoding': coding.name },
  }
}

async function* concatenated(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield first
  yield* rest
}

/** The preferred one first. */
const STREAM_CODINGS = [
  {
    name: 'zstd',
    create: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: LEVEL } }),
  },
  { name: 'gzip', create: () => createGzip({ level: LEVEL }) },
]

/** Whether `encodeStream` compresses. */
export function acceptsCompression(call: AnyCall): boolean {
  return streamCodingOf(call) !== undefined
}

function streamCodingOf(call: AnyCall) {
  const accepted = acceptedEncodings(call)
  return STREAM_CODINGS.find(({ name }) => accepted.has(name))
}

/** @returns the encodings that a client accepts, without those with `q=0` */
function acceptedEncodings(call: AnyCall): Set<string> {
  const items = (call.req.header('accept-encoding') ?? '').toLowerCase().split(',')
  const accepted = items.filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
  return new Set(accepted.map((item) => (item.split(';')[0] ?? '').trim()))
}
