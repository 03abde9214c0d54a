/**
 * Stages small new files. As long as the disk is fast, the thread that asks makes all calls, because a change to another
 * thread takes longer than they do. On a slow disk other threads do it, so that nothing else waits.
 */
import { closeSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { createFile, type NewFile } from '#server/flush/new-file.ts'
import type { OpenStaged } from '../copy/copy-file.ts'
import { type MakeRoom, type Slot, withRoom } from '../handles/atomic.ts'

/** Larger content is written by another thread. */
const HERE_MAX_BYTES = 128 * 1024
/** How long the writing of small content may take, and how long other threads do it after that was exceeded. */
const SLOW_MS = 20
const SLOW_FOR_MS = 10_000

/**
 * Staged content with its final mode and time: its open file, which the caller flushes and closes; or `flushed`, which
 * resolves when it is flushed and closed.
 */
export type SmallContent = { isFinal: true } & (OpenStaged | { flushed: Promise<void> })

export class SmallFiles {
  readonly #flushes: FlushQueue
  readonly #nowMs: () => number
  #slowUntilMs = 0

  /** @param nowMs a clock that never goes back */
  constructor(flushes: FlushQueue, nowMs = () => performance.now()) {
    this.#flushes = flushes
    this.#nowMs = nowMs
  }

  /**
   * Writes new content to `staged`.
   *
   * @param makeRoom called when the disk is full, as long as it frees anything
   * @throws system errors; then there is no staged file
   */
  stage(staged: Slot, content: Omit<NewFile, 'path'>, makeRoom: MakeRoom): Promise<SmallContent> {
    const file = { ...content, path: staged.parent.at(staged.name) }
    return withRoom(makeRoom, async () => {
      const startMs = this.#nowMs()
      if (file.bytes.length > HERE_MAX_BYTES || startMs < this.#slowUntilMs)
        return { ...(await this.#flushes.create(file)), isFinal: true }
      try {
        const fd = createFile(file)
        return { fd, close: () => closeSync(fd), isFinal: true }
      } finally {
        const endMs = this.#nowMs()
        if (endMs - startMs > SLOW_MS) this.#slowUntilMs = endMs + SLOW_FOR_MS
      }
    })
  }
}
