/**
 * Threads for the slow codecs. Not those of the runtime: while these compute for a second, nobody
 * could read a file.
 */
import { BLOCKS_AT_ONCE } from './codec.ts'
import type { Answer, Question, SlowCodec } from './codec-worker.ts'

/** The executable knows a worker by its place in the repository. */
const WORKER = Bun.isStandaloneExecutable
  ? './server/files/codec-worker.ts'
  : new URL('./codec-worker.ts', import.meta.url)

/** The threads of one stream. They end with it. */
export class CodecWorkers implements Disposable {
  readonly #codec: SlowCodec
  readonly #threads: Thread[] = []
  #turn = 0

  constructor(codec: SlowCodec) {
    this.#codec = codec
  }

  [Symbol.dispose](): void {
    for (const thread of this.#threads) thread.end()
  }

  /**
   * Compresses one block, which is gone afterwards. At most BLOCKS_AT_ONCE blocks may be under way.
   *
   * @throws Error when the codec fails, cannot be loaded, or ends with its thread
   */
  compress(block: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    // By turns: with no more blocks under way than threads, the next one is idle.
    const turn = this.#turn % BLOCKS_AT_ONCE
    this.#turn += 1
    const thread = this.#threads[turn] ?? new Thread()
    this.#threads[turn] = thread
    return thread.ask({ codec: this.#codec, block })
  }
}

/** A worker that is asked one thing at a time. */
class Thread {
  readonly #worker = new Worker(WORKER)
  #answer: PromiseWithResolvers<Uint8Array> | undefined

  constructor() {
    const fail = (words: string) => this.#answer?.reject(new Error(words))
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ('failure' in data) fail(data.failure)
      else this.#answer?.resolve(data.bytes)
    }
    this.#worker.onerror = ({ message }) => fail(message)
    this.#worker.addEventListener('close', () => fail('The codec has ended.'))
  }

  ask(question: Question): Promise<Uint8Array> {
    this.#answer = Promise.withResolvers()
    this.#worker.postMessage(question, [question.block.buffer])
    return this.#answer.promise
  }

  end(): void {
    this.#worker.terminate()
  }
}
