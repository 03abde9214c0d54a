/** Files of which no preview could be made. They are not tried again for a while, which would take as long each time. */
import { type Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'

interface Failure {
  fault: Fault
  untilMs: number
}

export class PreviewFailures {
  /** By the cache key of the preview, oldest first. The key changes with the content. */
  readonly #failures = new Map<string, Failure>()

  find(key: string): Fault | undefined {
    const failure = this.#failures.get(key)
    return failure && failure.untilMs > Date.now() ? failure.fault : undefined
  }

  /** Adds a failure that is due to the file; others, such as a busy server, are left out. */
  add(key: string, error: unknown): void {
    if (!isFault(error, 'unprocessable', 'unsupported', 'tooLarge')) return
    this.#failures.delete(key)
    this.#failures.set(key, { fault: error, untilMs: Date.now() + LIMITS.previewFailureMs })
    if (this.#failures.size <= LIMITS.previewFailures) return
    const [oldest = ''] = this.#failures.keys()
    this.#failures.delete(oldest)
  }
}
