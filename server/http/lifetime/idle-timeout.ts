/** The idle timeout ends clients that stall. It does not count the time that the server itself needs. */
import type { AnyCall } from '../context/context.ts'

/** Disables the idle timeout of the connection until it is disposed of. */
export function withoutIdleTimeout({ env, req, var: { hasNoIdleTimeout } }: AnyCall): Disposable {
  if (!hasNoIdleTimeout) env.timeout(req.raw, 0)
  return {
    [Symbol.dispose]() {
      if (!hasNoIdleTimeout) env.timeout(req.raw, env.idleSec)
    },
  }
}

/** After so long without a chunk the server is at work, for example to read a large file for its checksum. */
const WORK_MS = 1000

/** Disables the idle timeout while a source takes long to make its next bytes. */
export class WorkClock implements Disposable {
  readonly #call: AnyCall
  readonly #timer: NodeJS.Timeout
  #sinceMs: number | undefined
  #pause: Disposable | undefined

  constructor(call: AnyCall) {
    this.#call = call
    this.#timer = setInterval(() => this.#look(), WORK_MS)
  }

  /** The next bytes are requested. */
  begin(): void {
    this.#sinceMs = performance.now()
  }

  /** They are there: the client is to take them. */
  end(): void {
    this.#sinceMs = undefined
    this.#pause?.[Symbol.dispose]()
    this.#pause = undefined
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.end()
  }

  #look(): void {
    if (this.#sinceMs === undefined || this.#pause) return
    if (performance.now() - this.#sinceMs >= WORK_MS) this.#pause = withoutIdleTimeout(this.#call)
  }
}
