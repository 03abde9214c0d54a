/** The worker thread that compresses blocks. Each block becomes a complete stream; streams can be concatenated. */
import type { TaskFailure } from '#server/lib/worker-thread.ts'

declare const self: Worker

/** Codecs that are too slow for the main thread. */
export type SlowCodec = keyof typeof CODECS
export interface CodecRequest {
  codec: SlowCodec
  block: Uint8Array<ArrayBuffer>
}
export interface CodecResponse {
  bytes: Uint8Array<ArrayBuffer>
}

const CODECS = {
  async xz(block: Uint8Array) {
    const { xz } = await import('@napi-rs/lzma')
    // A copy, because a buffer of native code cannot be transferred.
    return new Uint8Array(xz.compressSync(block))
  },
  async bzip2(block: Uint8Array) {
    const { compressBlock } = await import('./libbzip2.ts')
    return compressBlock(block)
  },
}

self.onmessage = async ({ data }: MessageEvent<CodecRequest>) => {
  try {
    const bytes = await CODECS[data.codec](data.block)
    post({ bytes }, [bytes.buffer])
  } catch (error) {
    post({ failure: String(error) })
  }
}

function post(message: CodecResponse | TaskFailure, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}
