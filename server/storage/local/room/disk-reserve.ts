/** Keeps a reserve free on a disk: new content is refused before the last of its space is used. */
import { statfsSync } from 'node:fs'
import type { ByteStream } from '#server/storage/node.ts'
import type { Fault } from '#wire/fault.ts'
import type { MakeRoom } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'

/** What is kept free. */
export interface Reserve {
  /**
   * @param device as in `Stats.dev`
   * @returns how many free bytes of a file system new content must leave; Infinity if there must be none at all
   */
  keptOn(device: number): number
  /** The fault for content on that file system that would need them. */
  refusal(device: number): Fault
}

/** Larger files are copied in parts, if the caller checks the progress. */
export const AT_ONCE_BYTES = 8 * 1024 * 1024
/** So many bytes are written between two checks; fewer if little is free. */
const UNCHECKED_BYTES = 1024 * 1024
/** What a check admits: others write at the same time. */
const UNCHECKED_PART = 8
/** How long a check admits writes: other programs write too. */
const ADMITTED_MS = 1000

/** What the last check of a file system admits; all writes there share it. */
export interface Admitted {
  /** How many bytes may be written before the next check. */
  bytes: number
  untilMs: number
}

/** The reserve on the file system of an open folder, which the caller keeps open. */
export class DiskReserve {
  readonly #folder: Handle
  readonly #reserve: Reserve | undefined
  readonly #admitted: Admitted

  /** @param admitted of the file system of the folder */
  constructor(folder: Handle, reserve: Reserve | undefined, admitted: Admitted) {
    this.#folder = folder
    this.#reserve = reserve
    this.#admitted = admitted
  }

  /** @throws Fault noSpace if no more, or not so many bytes, may be written; system errors */
  check(bytes = 0): void {
    if (this.#reserve && !this.#fits(bytes)) throw this.#reserve.refusal(this.#folder.dev)
  }

  /**
   * Called before a file is copied. A larger one is checked by the function of `watch`.
   *
   * @throws as `check`
   */
  checkCopy(bytes: number): void {
    this.check(bytes > AT_ONCE_BYTES ? 0 : bytes)
  }

  /**
   * @returns a function to be called while so many bytes are copied, which throws as `check`; undefined if they fit, so
   *   that nothing needs to be checked
   */
  watch(bytes: number): (() => void) | undefined {
    return this.#fits(bytes) ? undefined : () => this.check()
  }

  /**
   * Called before bytes are written.
   *
   * @param makeRoom called as long as it frees anything
   * @throws Fault noSpace; system errors
   */
  async take(bytes: number, makeRoom: MakeRoom): Promise<void> {
    if (!this.#reserve) return
    const admitted = this.#admitted
    const nowMs = Date.now()
    admitted.bytes -= bytes
    if (admitted.bytes >= 0 && nowMs < admitted.untilMs) return
    for (;;) {
      const kept = this.#reserve.keptOn(this.#folder.dev)
      const spare = this.#freeBytes() - bytes - kept
      if (kept === 0 || spare >= 0) {
        admitted.bytes = Math.min(UNCHECKED_BYTES, spare / UNCHECKED_PART)
        admitted.untilMs = nowMs + ADMITTED_MS
        return
      }
      if (!Number.isFinite(kept) || !(await makeRoom()))
        throw this.#reserve.refusal(this.#folder.dev)
    }
  }

  /**
   * @returns the content, of which each part was taken before it is written
   * @throws as `take`, also while the result is read
   */
  async admit(
    content: ByteStream | Uint8Array,
    makeRoom: MakeRoom,
  ): Promise<AsyncIterable<Uint8Array> | Uint8Array> {
    if (!(content instanceof Uint8Array)) return this.#through(content, makeRoom)
    await this.take(content.length, makeRoom)
    return content
  }

  async *#through(content: ByteStream, makeRoom: MakeRoom): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      await this.take(chunk.length, makeRoom)
      yield chunk
    }
  }

  #fits(bytes: number): boolean {
    const kept = this.#reserve?.keptOn(this.#folder.dev) ?? 0
    return kept === 0 || this.#freeBytes() - bytes >= kept
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder.disk)
    return bavail * bsize
  }
}
