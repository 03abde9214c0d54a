/**
 * A worker thread that decompresses one stream. It requests compressed bytes with `more`, and sends a decompressed
 * part for each `next`.
 */
import { bunzip2 } from './bunzip2.ts'
import type { Bytes } from './member.ts'
import { unlz4 } from './unlz4.ts'

declare const self: Worker

export type ThreadCodec = keyof typeof CODECS
/** `part` is undefined at the end of the stream. */
export type WorkerInput =
  | { codec: ThreadCodec }
  | { part: Uint8Array<ArrayBuffer> | undefined }
  | 'next'
export type WorkerOutput = 'more' | { part: Uint8Array } | { failure: string } | 'end'

/** Input of one step; the output may be a thousand times as large. */
const PIECE_BYTES = 8 * 1024

interface Decompressor {
  update(part: Uint8Array): Uint8Array
  finish(): Promise<Uint8Array>
}

const CODECS = {
  bz2: bunzip2,
  lz4: unlz4,
  xz: async function* (bytes: Bytes) {
    const { XzDecompressor } = await import('@napi-rs/lzma')
    yield* inPieces(new XzDecompressor(), bytes)
  },
  sz: async function* (bytes: Bytes) {
    const { Decompressor } = await import('snappy')
    yield* inPieces(new Decompressor(), bytes)
  },
}

async function* inPieces(
  decompressor: Decompressor,
  bytes: Bytes,
): AsyncGenerator<Uint8Array, void> {
  for await (const part of bytes) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      yield decompressor.update(part.subarray(at, at + PIECE_BYTES))
    }
  }
  yield await decompressor.finish()
}

let nextPart = Promise.withResolvers<Uint8Array | undefined>()
let requested = Promise.withResolvers<void>()

self.onmessage = ({ data }: MessageEvent<WorkerInput>) => {
  if (data === 'next') requested.resolve()
  else if ('codec' in data) void run(data.codec)
  else nextPart.resolve(data.part)
}

async function run(codec: ThreadCodec): Promise<void> {
  try {
    await requested.promise
    for await (const part of CODECS[codec](parts())) {
      if (part.length === 0) continue
      requested = Promise.withResolvers()
      post({ part: new Uint8Array(part) })
      // A message is sent only when the other side waits for it.
      await requested.promise
    }
    post('end')
  } catch (error) {
    post({ failure: String(error) })
  }
}

async function* parts(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    post('more')
    const part = await nextPart.promise
    nextPart = Promise.withResolvers()
    if (!part) return
    yield part
  }
}

function post(message: WorkerOutput): void {
  self.postMessage(message)
}
