/** A thread that compresses one block after the other. */
declare const self: Worker

export type SlowCodec = keyof typeof CODECS
export interface Question {
  codec: SlowCodec
  block: Uint8Array<ArrayBuffer>
}
export type Answer = { bytes: Uint8Array<ArrayBuffer> } | { failure: string }

const CODECS = {
  async xz(block: Uint8Array) {
    const { xz } = await import('@napi-rs/lzma')
    return new Uint8Array(xz.compressSync(block))
  },
  async bzip2(block: Uint8Array) {
    const { compressBlock } = await import('./bzip2.ts')
    return compressBlock(block)
  },
}

self.onmessage = async ({ data }: MessageEvent<Question>) => {
  try {
    const bytes = await CODECS[data.codec](data.block)
    answer({ bytes }, [bytes.buffer])
  } catch (error) {
    answer({ failure: String(error) })
  }
}

function answer(message: Answer, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer)
}
