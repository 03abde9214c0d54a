/**
 * Flushers that count flushes, and on demand delay them or make them fail. Each flush is one of the file itself, whatever
 * its extent.
 */
import { fstatSync, fsyncSync } from 'node:fs'
import type { Flusher, Flushers } from '#server/flush/flush-threads.ts'
import type { FlushExtent } from '#server/flush/flush-worker.ts'
import { asTaskFailure, createFiles } from '#server/flush/new-file.ts'

export class CountedFlushers implements Flushers {
  onFree: () => void = () => undefined
  /** Inodes that were flushed, in the order in which flushes ended. */
  readonly flushed: number[] = []
  /** The extent of each flush. */
  readonly extents: FlushExtent[] = []
  /** The largest number of concurrent flushes, in total and of one inode. */
  most = 0
  mostOfOne = 0
  /** How many tasks were given to flushers. */
  tasks = 0
  /** Inodes whose flush has begun and not ended. */
  readonly running: number[] = []
  readonly #held = new Map<number, PromiseWithResolvers<void>>()
  readonly #failing = new Map<number, number>()
  #waiters: { inode: number; begun: () => void }[] = []

  acquire(): Flusher {
    this.tasks += 1
    const flush: Flusher['flush'] = (fd, extent) => this.#flush(fd, extent)
    return {
      flush,
      flushAll: flushAllBy(flush),
      create: (files, { isFlushed, onWritten }) =>
        createFiles(files, {
          flush: isFlushed ? (fd) => flush(fd, 'file') : undefined,
          onWritten,
        }),
    }
  }

  release(): void {}

  close(): void {}

  /**
   * Delays the end of flushes of an inode.
   *
   * @returns a function that lets them end
   */
  hold(inode: number): () => void {
    const held = Promise.withResolvers<void>()
    this.#held.set(inode, held)
    return () => {
      if (this.#held.get(inode) === held) this.#held.delete(inode)
      held.resolve()
    }
  }

  /** Makes flushes of an inode fail from now on: all of them, or a number of times. */
  fail(inode: number, times = Infinity): void {
    this.#failing.set(inode, times)
  }

  /** Resolves when a flush of an inode has begun. */
  begun(inode: number): Promise<void> {
    if (this.running.includes(inode)) return Promise.resolve()
    return new Promise((begun) => this.#waiters.push({ inode, begun }))
  }

  async #flush(fd: number, extent: FlushExtent): Promise<void> {
    this.extents.push(extent)
    const inode = fstatSync(fd).ino
    this.running.push(inode)
    this.most = Math.max(this.most, this.running.length)
    const same = this.running.filter((other) => other === inode).length
    this.mostOfOne = Math.max(this.mostOfOne, same)
    for (const waiter of this.#waiters) if (waiter.inode === inode) waiter.begun()
    this.#waiters = this.#waiters.filter((waiter) => waiter.inode !== inode)
    try {
      await this.#held.get(inode)?.promise
      const fails = this.#failing.get(inode) ?? 0
      this.#failing.set(inode, fails - 1)
      if (fails > 0) throw Object.assign(new Error('flush'), { code: 'EIO' })
      fsyncSync(fd)
      this.flushed.push(inode)
    } finally {
      this.running.splice(this.running.indexOf(inode), 1)
    }
  }
}

/** Flushes several descriptors, by a function that flushes one. */
export function flushAllBy(flush: Flusher['flush']): Flusher['flushAll'] {
  return (targets) =>
    Promise.all(
      targets.map(({ fd, extent }) => flush(fd, extent).then(() => undefined, asTaskFailure)),
    )
}
