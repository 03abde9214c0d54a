/**
 * Threads for the slow codecs: a few for the whole server, which all archives share. Not those of the
 * runtime: while these compute for a second, nobody could read a file.
 */
import { availableParallelism } from 'node:os'
import type { Answer, Question, SlowCodec } from './codec-worker.ts'

/** Of all archives together. */
export const CODEC_THREADS = Math.min(4, availableParallelism())

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/files/codec-worker.ts'
  : new URL('./codec-worker.ts', import.meta.url)

/** One stream's share of the threads. They end with the last stream. */
export class CodecWorkers implements AsyncDisposable {
  readonly #codec: SlowCodec
  readonly #stop: AbortSignal
  readonly #leave = () => void this[Symbol.asyncDispose]()
  #over: Promise<void> | undefined

  /** @param stop ends the work at once, that under way too */
  constructor(codec: SlowCodec, stop: AbortSignal) {
    this.#codec = codec
    this.#stop = stop
    streams.set(this, 0)
    stop.addEventListener('abort', this.#leave)
  }

  /**
   * Compresses one block, which is gone afterwards, when a thread is free and it is this stream's turn.
   *
   * @throws Error when the codec fails, cannot be loaded, or ends with its thread or its stream
   */
  compress(block: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const answer = Promise.withResolvers<Uint8Array>()
    if (!streams.has(this)) return Promise.reject(LEFT)
    waiting.push({ stream: this, question: { codec: this.#codec, block }, answer })
    assign()
    return answer.promise
  }

  /** Drops what waits, ends what is under way, and resolves when no thread works for it any more. */
  [Symbol.asyncDispose](): Promise<void> {
    // Whoever comes second waits for the same threads.
    this.#over ??= this.#end()
    return this.#over
  }

  async #end(): Promise<void> {
    this.#stop.removeEventListener('abort', this.#leave)
    streams.delete(this)
    for (const work of waiting.filter(({ stream }) => stream === this)) {
      waiting.splice(waiting.indexOf(work), 1)
      work.answer.reject(LEFT)
    }
    const idle = streams.size === 0
    const own = [...threads].filter((thread) => thread.isOf(this) || (idle && thread.isFree))
    await Promise.all(own.map((thread) => thread.end()))
    assign()
  }
}

/** How many threads there are at this moment, those that are about to end included. */
export function codecThreads(): number {
  return threads.size
}

interface Work {
  stream: CodecWorkers
  question: Question
  answer: PromiseWithResolvers<Uint8Array>
}

const LEFT = new Error('The reader left.')

/** Whose turn it is: the stream that was served longest ago. */
const streams = new Map<CodecWorkers, number>()
const waiting: Work[] = []
const threads = new Set<Thread>()
let served = 0

/** Gives free threads what waits. A thread that is about to end still counts. */
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

/** A worker that is asked one thing at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  readonly #ended = Promise.withResolvers<void>()
  #work: Work | undefined
  #ending = false

  constructor() {
    threads.add(this)
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      const work = this.#work
      this.#work = undefined
      if ('failure' in data) work?.answer.reject(new Error(data.failure))
      else work?.answer.resolve(data.bytes)
      assign()
    }
    this.#worker.onerror = ({ message }) => this.#work?.answer.reject(new Error(message))
    this.#worker.addEventListener('close', () => {
      threads.delete(this)
      this.#work?.answer.reject(new Error('The codec has ended.'))
      this.#ended.resolve()
      assign()
    })
  }

  get isFree(): boolean {
    return this.#work === undefined && !this.#ending
  }

  isOf(stream: CodecWorkers): boolean {
    return this.#work?.stream === stream
  }

  do(work: Work): void {
    this.#work = work
    this.#worker.postMessage(work.question, [work.question.block.buffer])
  }

  /** Resolves when the system has the thread back. */
  end(): Promise<void> {
    this.#work?.answer.reject(LEFT)
    if (!this.#ending) this.#worker.terminate()
    this.#ending = true
    return this.#ended.promise
  }
}
