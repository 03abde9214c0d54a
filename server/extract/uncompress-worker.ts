/** A thread that uncompresses one stream. It asks for each part, and gives each only when it is asked. */
import { bunzip2 } from './bunzip2.ts'
import type { Bytes } from './member.ts'
import { unlz4 } from './unlz4.ts'

declare const self: Worker

export type ThreadCodec = keyof typeof CODECS
/** `part` is undefined at the end of the stream. */
export type ToThread =
  | { codec: ThreadCodec }
  | { part: Uint8Array<ArrayBuffer> | undefined }
  | 'next'
export type FromThread = 'more' | { part: Uint8Array } | { failure: string } | 'end'

/** A small part may become a thousand times as much at once. */
const FED_BYTES = 8 * 1024

interface Decompressor {
  update(part: Uint8Array): Uint8Array
  finish(): Promise<Uint8Array>
}

const CODECS = {
  bz2: bunzip2,
  lz4: unlz4,
  xz: async function* (bytes: Bytes) {
    const { XzDecompressor } = await import('@napi-rs/lzma')
    yield* fed(new XzDecompressor(), bytes)
  },
  sz: async function* (bytes: Bytes) {
    const { Decompressor } = await import('snappy')
    yield* fed(new Decompressor(), bytes)
  },
}

async function* fed(decompressor: Decompressor, bytes: Bytes): AsyncGenerator<Uint8Array, void> {
  for await (const part of bytes) {
    for (let at = 0; at < part.length; at += FED_BYTES) {
      yield decompressor.update(part.subarray(at, at + FED_BYTES))
    }
  }
  yield await decompressor.finish()
}

let given = Promise.withResolvers<Uint8Array | undefined>()
let asked = Promise.withResolvers<void>()

self.onmessage = ({ data }: MessageEvent<ToThread>) => {
  if (data === 'next') asked.resolve()
  else if ('codec' in data) void run(data.codec)
  else given.resolve(data.part)
}

async function run(codec: ThreadCodec): Promise<void> {
  try {
    await asked.promise
    for await (const part of CODECS[codec](parts())) {
      if (part.length === 0) continue
      asked = Promise.withResolvers()
      tell({ part: new Uint8Array(part) })
      // Nothing is said that nobody has asked for: it would be lost.
      await asked.promise
    }
    tell('end')
  } catch (error) {
    tell({ failure: String(error) })
  }
}

async function* parts(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    tell('more')
    const part = await given.promise
    given = Promise.withResolvers()
    if (!part) return
    yield part
  }
}

function tell(message: FromThread): void {
  self.postMessage(message)
}
