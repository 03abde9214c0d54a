/** Stages small new files: with all calls in this thread, as long as the disk is fast. */
import { closeSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { createFile, type NewFile } from '#server/flush/new-file.ts'
import { SHORT_WRITE_BYTES, ShortCalls } from '#server/lib/short-calls.ts'
import type { OpenStaged } from '../copy/copy-file.ts'
import { type MakeRoom, type Slot, withRoom } from '../handles/atomic.ts'

/**
 * Staged content with its final mode and time: its open file, which the caller flushes and closes; or `flushed`, which
 * resolves when it is flushed and closed.
 */
export type SmallContent = { isFinal: true } & (OpenStaged | { flushed: Promise<void> })

export class SmallFiles {
  readonly #flushes: FlushQueue
  readonly #calls: ShortCalls

  constructor(flushes: FlushQueue, calls = new ShortCalls()) {
    this.#flushes = flushes
    this.#calls = calls
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
      if (file.bytes.length > SHORT_WRITE_BYTES || this.#calls.areSlow)
        return { ...(await this.#flushes.create(file)), isFinal: true }
      const fd = this.#calls.run(() => createFile(file))
      return { fd, close: () => closeSync(fd), isFinal: true }
    })
  }
}
