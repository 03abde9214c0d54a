/**
 * Worker threads for the slow codecs, shared by all archives. The runtime's own threads are not used, because they
 * also read files.
 */
import { availableParallelism } from 'node:os'
import { WorkerPool } from '#server/lib/worker-pool.ts'
import type { CodecRequest, CodecResponse, SlowCodec } from './codec-worker.ts'

/** The most threads, for all archives together. */
export const CODEC_THREADS = Math.min(4, availableParallelism())

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/archives/codecs/codec-worker.ts'
  : new URL('./codec-worker.ts', import.meta.url)

/** The streams take turns. */
const pool = new WorkerPool<CodecRequest, CodecResponse, CodecWorkers>(WORKER, {
  size: CODEC_THREADS,
})
const streams = new Set<CodecWorkers>()

/** The number of threads, including those that are ending. */
export function codecThreads(): number {
  return pool.count
}

/** The reason why the remaining blocks of a stream are not compressed. */
const STREAM_ENDED = new Error('The stream has ended.')

/** One stream that compresses with the shared threads. The threads end when the last stream ends. */
export class CodecWorkers implements AsyncDisposable {
  readonly #codec: SlowCodec
  readonly #stop: AbortSignal
  // The end of the threads is not awaited here; the pending calls of `compress` reject at once.
  readonly #onStop = () => void this[Symbol.asyncDispose]()
  #disposal: Promise<void> | undefined

  /** @param stop ends all work at once, also the running one */
  constructor(codec: SlowCodec, stop: AbortSignal) {
    this.#codec = codec
    this.#stop = stop
    streams.add(this)
    stop.addEventListener('abort', this.#onStop)
  }

  /**
   * Compresses a block when a thread is free and it is this stream's turn. The block is transferred and cannot be
   * used afterwards.
   *
   * @throws Error if the codec fails, cannot be loaded, or its thread or stream ends
   */
  async compress(block: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    if (!streams.has(this)) throw STREAM_ENDED
    const request = { codec: this.#codec, block }
    const { bytes } = await pool.ask(request, this, { transfer: [block.buffer] })
    return bytes
  }

  /** Drops waiting blocks, ends running ones, and resolves when no thread works for this stream. */
  [Symbol.asyncDispose](): Promise<void> {
    // A second call waits for the same threads.
    this.#disposal ??= this.#end()
    return this.#disposal
  }

  async #end(): Promise<void> {
    this.#stop.removeEventListener('abort', this.#onStop)
    streams.delete(this)
    await pool.stop(this, STREAM_ENDED)
    if (streams.size === 0) await pool.endIdle()
  }
}
