/** Flushers that count what they flush, and hold it as long as a test wants. The files are flushed all the same. */
import { fstatSync, fsyncSync } from 'node:fs'
import type { Flusher, Flushers } from '#server/flush/flush-threads.ts'

export class CountedFlushers implements Flushers {
  onFree: () => void = () => undefined
  /** Inodes of what was flushed, in the order in which flushes ended. */
  readonly flushed: number[] = []
  /** Most flushes at one time, of all and of one inode. */
  most = 0
  mostOfOne = 0
  /** Inodes whose flush began and has not ended. */
  readonly running: number[] = []
  readonly #held = new Map<number, PromiseWithResolvers<void>>()
  readonly #failing = new Set<number>()
  #waiters: { inode: number; begun: () => void }[] = []

  take(): Flusher {
    return { flush: (fd) => this.#flush(fd) }
  }

  giveBack(): void {}

  close(): void {}

  /** Keeps flushes of an inode from ending. @returns lets them end */
  hold(inode: number): () => void {
    const held = Promise.withResolvers<void>()
    this.#held.set(inode, held)
    return () => {
      if (this.#held.get(inode) === held) this.#held.delete(inode)
      held.resolve()
    }
  }

  /** Lets each flush of an inode fail from now on. */
  fail(inode: number): void {
    this.#failing.add(inode)
  }

  /** Resolves when a flush of an inode has begun. */
  begun(inode: number): Promise<void> {
    if (this.running.includes(inode)) return Promise.resolve()
    return new Promise((begun) => this.#waiters.push({ inode, begun }))
  }

  async #flush(fd: number): Promise<void> {
    const inode = fstatSync(fd).ino
    this.running.push(inode)
    this.most = Math.max(this.most, this.running.length)
    const same = this.running.filter((other) => other === inode).length
    this.mostOfOne = Math.max(this.mostOfOne, same)
    for (const waiter of this.#waiters) if (waiter.inode === inode) waiter.begun()
    this.#waiters = this.#waiters.filter((waiter) => waiter.inode !== inode)
    try {
      await this.#held.get(inode)?.promise
      if (this.#failing.has(inode)) throw Object.assign(new Error('flush'), { code: 'EIO' })
      fsyncSync(fd)
      this.flushed.push(inode)
    } finally {
      this.running.splice(this.running.indexOf(inode), 1)
    }
  }
}
