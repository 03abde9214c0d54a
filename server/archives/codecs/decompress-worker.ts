/**
 * A worker thread that decompresses one stream. It requests compressed bytes with `more`, and sends a decompressed
 * part for each `next`.
 */

import type { Bytes } from '../member.ts'
import { bunzip2 } from './bunzip2.ts'
import { inflate64 } from './inflate64.ts'
import { unlz4 } from './unlz4.ts'

declare const self: Worker

export type ThreadCodec = keyof typeof CODECS
/** The first `next` and `codec` come in any order. `part` is undefined at the end of the stream. */
export type WorkerInput =
  | { codec: ThreadCodec }
  | { part: Uint8Array<ArrayBuffer> | undefined }
  | 'next'
/** `isUnreadable`: not the stream has failed, but the module that reads its format. */
export type WorkerOutput =
  | 'more'
  | { part: Uint8Array }
  | { failure: string; isUnreadable: boolean }
  | 'end'

/** The input of one step. It is small because the output may be a thousand times as large. */
const STEP_BYTES = 8 * 1024

interface Decompressor {
  update(part: Uint8Array): Uint8Array
  finish(): Promise<Uint8Array>
}

const CODECS = {
  bz2: bunzip2,
  deflate64: inflate64,
  lz4: unlz4,
  xz: async function* (bytes: Bytes) {
    const { XzDecompressor } = await loaded(import('@napi-rs/lzma'))
    yield* inSteps(new XzDecompressor(), bytes)
  },
  /** Snappy. */
  sz: async function* (bytes: Bytes) {
    const { Decompressor } = await loaded(import('snappy'))
    yield* inSteps(new Decompressor(), bytes)
  },
}

class UnreadableError extends Error {}

/** @throws UnreadableError if the module cannot be loaded */
async function loaded<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading
  } catch (error) {
    throw new UnreadableError(String(error))
  }
}

async function* inSteps(
  decompressor: Decompressor,
  bytes: Bytes,
): AsyncGenerator<Uint8Array, void> {
  for await (const part of bytes) {
    for (let start = 0; start < part.length; start += STEP_BYTES) {
      yield decompressor.update(part.subarray(start, start + STEP_BYTES))
    }
  }
  yield await decompressor.finish()
}

let nextInput = Promise.withResolvers<Uint8Array | undefined>()
let outputRequested = Promise.withResolvers<void>()

self.onmessage = ({ data }: MessageEvent<WorkerInput>) => {
  if (data === 'next') outputRequested.resolve()
  else if ('codec' in data) void run(data.codec)
  else nextInput.resolve(data.part)
}

async function run(codec: ThreadCodec): Promise<void> {
  try {
    await outputRequested.promise
    for await (const part of CODECS[codec](parts())) {
      if (part.length === 0) continue
      outputRequested = Promise.withResolvers()
      // A copy of only these bytes: the part may be a view of a larger buffer.
      post({ part: new Uint8Array(part) })
      // A message is sent only when the other side waits for it.
      await outputRequested.promise
    }
    post('end')
  } catch (error) {
    post({ failure: String(error), isUnreadable: error instanceof UnreadableError })
  }
}

async function* parts(): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    post('more')
    const part = await nextInput.promise
    nextInput = Promise.withResolvers()
    if (!part) return
    yield part
  }
}

function post(message: WorkerOutput): void {
  self.postMessage(message)
}
