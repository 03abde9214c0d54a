/** Measures the progress and speed of a running job. */
import { LIMITS } from '#wire/limits.ts'
import type { TreePath } from '#wire/paths.ts'

export class JobMeter {
  /** Counters of the current item. Those of finished items are in their rows. */
  files = 0
  bytes = 0
  current: TreePath | '' = ''
  /** The total at several moments, oldest first. */
  #samples: { atMs: number; bytes: number }[] = []
  /** Bytes of all items since the run began. */
  #total = 0

  /** Starts a new item. */
  begin(): void {
    this.files = 0
    this.bytes = 0
    this.current = ''
  }

  /** Starts a new file or folder of the item. */
  next(path: TreePath): void {
    this.current = path
  }

  copied(bytes: number, nowMs: number = performance.now()): void {
    this.bytes += bytes
    this.#total += bytes
    const last = this.#samples.at(-1)
    if (last && nowMs - last.atMs < LIMITS.speedSampleMs) return
    this.#samples.push({ atMs: nowMs, bytes: this.#total })
    this.#samples.splice(0, this.#samples.length - LIMITS.speedSamples)
  }

  /** Counts a complete file or folder. */
  done(): void {
    this.files += 1
  }

  /** @returns bytes per second over the last seconds; 0 if not yet known */
  speed(nowMs: number = performance.now()): number {
    const [first] = this.#samples
    if (!first || nowMs - first.atMs < LIMITS.speedSampleMs) return 0
    return Math.round(((this.#total - first.bytes) * 1000) / (nowMs - first.atMs))
  }
}
