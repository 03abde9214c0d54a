/** Remembers files without a preview, so that a rendering that fails is not repeated at each request. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { type Fault, isFault } from '#wire/fault.ts'

interface Failure {
  fault: Fault
  untilMs: number
}

export class PreviewFailures {
  /** Cache key of the preview → its failure, oldest first. The key changes with the content. */
  readonly #failures = new Map<string, Failure>()

  find(key: string): Fault | undefined {
    const failure = this.#failures.get(key)
    return failure && failure.untilMs > Date.now() ? failure.fault : undefined
  }

  /** Adds a failure that is due to the file; others, such as a busy server, are left out. */
  add(key: string, error: unknown): void {
    if (!isFault(error, 'unprocessable', 'unsupported', 'tooLarge')) return
    this.#failures.delete(key)
    this.#failures.set(key, { fault: error, untilMs: Date.now() + SERVER_LIMITS.previewFailureMs })
    if (this.#failures.size <= SERVER_LIMITS.previewFailures) return
    const [oldest = ''] = this.#failures.keys()
    this.#failures.delete(oldest)
  }
}
