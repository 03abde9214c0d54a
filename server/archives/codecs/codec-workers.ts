/**
 * Worker threads for the slow codecs, shared by all archives. The runtime's own threads are not used, because they
 * also read files.
 */
import { availableParallelism } from 'node:os'
import type { CodecRequest, CodecResponse, SlowCodec } from './codec-worker.ts'

/** The most threads, for all archives together. */
export const CODEC_THREADS = Math.min(4, availableParallelism())

/** In the executable a worker is named by its path in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/archives/codecs/codec-worker.ts'
  : new URL('./codec-worker.ts', import.meta.url)

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
    streams.set(this, 0)
    stop.addEventListener('abort', this.#onStop)
  }

  /**
   * Compresses a block when a thread is free and it is this stream's turn. The block is transferred and cannot be
   * used afterwards.
   *
   * @throws Error if the codec fails, cannot be loaded, or its thread or stream ends
   */
  compress(block: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const result = Promise.withResolvers<Uint8Array>()
    if (!streams.has(this)) return Promise.reject(STREAM_ENDED)
    waiting.push({ stream: this, request: { codec: this.#codec, block }, result })
    assign()
    return result.promise
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
    for (const work of waiting.filter(({ stream }) => stream === this)) {
      waiting.splice(waiting.indexOf(work), 1)
      work.result.reject(STREAM_ENDED)
    }
    const isLast = streams.size === 0
    const stopped = [...threads].filter((thread) => thread.isOf(this) || (isLast && thread.isFree))
    await Promise.all(stopped.map((thread) => thread.end()))
    assign()
  }
}

/** The number of threads, including those that are ending. */
export function codecThreads(): number {
  return threads.size
}

interface Work {
  stream: CodecWorkers
  request: CodecRequest
  result: PromiseWithResolvers<Uint8Array>
}

/** The reason why the remaining blocks of a stream are not compressed. */
const STREAM_ENDED = new Error('The stream has ended.')

/** Stream → number of its last turn; the stream with the lowest number is next. */
const streams = new Map<CodecWorkers, number>()
const waiting: Work[] = []
const threads = new Set<Thread>()
/** The number of turns so far. */
let served = 0

/** Assigns waiting blocks to free threads. A thread that is ending still counts. */
function assign(): void {
  while (waiting.length > 0) {
    const free = [...threads].find(({ isFree }) => isFree)
    if (!free && threads.size >= CODEC_THREADS) return
    const turn = ({ stream }: Work) => streams.get(stream) ?? 0
    const next = waiting.reduce((first, work) => (turn(work) < turn(first) ? work : first))
    waiting.splice(waiting.indexOf(next), 1)
    served += 1
    streams.set(next.stream, served)
    const thread = free ?? new Thread()
    thread.do(next)
  }
}

/** A worker that does one task at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  readonly #ended = Promise.withResolvers<void>()
  #work: Work | undefined
  #isEnding = false

  constructor() {
    threads.add(this)
    this.#worker.onmessage = ({ data }: MessageEvent<CodecResponse>) => {
      const work = this.#work
      this.#work = undefined
      if ('failure' in data) work?.result.reject(new Error(data.failure))
      else work?.result.resolve(data.bytes)
      assign()
    }
    this.#worker.onerror = ({ message }) => this.#work?.result.reject(new Error(message))
    this.#worker.addEventListener('close', () => {
      threads.delete(this)
      this.#work?.result.reject(new Error('The codec has ended.'))
      this.#ended.resolve()
      assign()
    })
  }

  get isFree(): boolean {
    return this.#work === undefined && !this.#isEnding
  }

  /** Whether the thread compresses a block of this stream. */
  isOf(stream: CodecWorkers): boolean {
    return this.#work?.stream === stream
  }

  do(work: Work): void {
    this.#work = work
    this.#worker.postMessage(work.request, [work.request.block.buffer])
  }

  /** Resolves when the thread has ended. */
  end(): Promise<void> {
    this.#work?.result.reject(STREAM_ENDED)
    if (!this.#isEnding) this.#worker.terminate()
    this.#isEnding = true
    return this.#ended.promise
  }
}
