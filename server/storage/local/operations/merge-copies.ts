/** Staged copies of the entries of a merge that go to another file system. */

import { entryError } from '../copy/entry-error.ts'
import { relocate } from '../copy/relocate.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { volumeOf } from '../mounts/mounts.ts'
import type { VolumeUse } from '../volumes/volume-use.ts'
import type { Volumes } from '../volumes/volumes.ts'

export class MergeCopies {
  readonly #volumes: Volumes
  /** Key: the slot of the original (`keyOf`); value: its copy. */
  readonly #made = new Map<string, Slot>()
  readonly #uses: VolumeUse[] = []

  constructor(volumes: Volumes) {
    this.#volumes = volumes
  }

  /** @throws as `relocate`, and as `Volumes.use` */
  async make(from: Slot, to: Slot): Promise<void> {
    if (volumeOf(from.parent) === volumeOf(to.parent)) return
    const use = await this.#volumes.use(to.parent)
    this.#uses.push(use)
    const staged = use.folder.staged()
    this.#made.set(keyOf(from), staged)
    try {
      await relocate(from, staged, this.#volumes.flushes)
    } catch (error) {
      const exists = () => lstatAt(from) !== undefined
      throw entryError(error, { path: from.name, exists, to: staged })
    }
  }

  of(from: Slot): Slot | undefined {
    return this.#made.get(keyOf(from))
  }

  /** Removes unpublished copies and replaced files. */
  async remove(): Promise<void> {
    for (const { parent, name } of this.#made.values()) {
      await fileCalls.rm(parent.at(name), { recursive: true, force: true })
    }
    for (const use of this.#uses) use[Symbol.dispose]()
  }
}

/** Identifies a slot. */
export function keyOf({ parent, name }: Slot): string {
  return `${parent.identity()}/${name}`
}
