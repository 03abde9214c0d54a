/** Flushes, and creates files, in the thread that asks, for a thread that may wait for its disk. */
import { flushOpen } from '#server/os/flush.ts'
import { call } from '#server/os/libc.ts'
import { flushAll } from './flush-all.ts'
import type { Flusher, Flushers } from './flush-threads.ts'
import { createFiles } from './new-file.ts'

export class OwnFlusher implements Flushers {
  onFree: () => void = () => undefined
  #isBusy = false
  readonly #flusher: Flusher = {
    async flush(fd, extent) {
      if (extent === 'fileSystem') call('syncfs', fd)
      else flushOpen(fd, extent)
    },
    flushAll: async (targets) => flushAll(targets),
    create: (files, { isFlushed, onWritten }) =>
      createFiles(files, { flush: isFlushed ? flushOpen : undefined, onWritten }),
  }

  acquire(): Flusher | undefined {
    if (this.#isBusy) return undefined
    this.#isBusy = true
    return this.#flusher
  }

  release(): void {
    this.#isBusy = false
  }

  close(): void {}
}
