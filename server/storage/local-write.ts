/**
 * Writing: new content is staged out of sight on the file system of its destination, made as the old one
 * was, forced to the disk, and given the name in one step.
 */
import { linkSync, promises } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import {
  type MakeRoom,
  replaceExactly,
  type Staged,
  stage,
  statsAt,
  syncFolder,
  withRoom,
} from './atomic.ts'
import type { Changes } from './changes.ts'
import { copyWhole, settled } from './copy-file.ts'
import { Handle, openFolder } from './handle.ts'
import type { Handover } from './handover.ts'
import { nodeOf } from './local-node.ts'
import { READ_FLAGS, type Slot, statSlot } from './local-resolve.ts'
import type { Node, Source } from './node.ts'
import type { TrashId } from './step.ts'
import type { WriteOptions } from './storage.ts'
import type { Volumes } from './volumes.ts'

/** Bits of a replaced file that its new content keeps: never the right to run as its owner. */
const KEPT_BITS = 0o777
/** A tick of the clock that file systems take their times from. */
const CLOCK_STEP_MS = 4
/** How often a name that changes under a write is looked at again. */
const TRIES = 16

/** Frees some room on the file system of a trash folder. @returns false when there is none to be freed */
export type RoomMaker = (trash: TrashId) => Promise<boolean>

export class Writer {
  readonly #volumes: Volumes
  /** Permission bits of new files. */
  readonly #fileMode: number
  readonly #makeRoom: RoomMaker | undefined

  constructor(volumes: Volumes, fileMode: number, makeRoom?: RoomMaker) {
    this.#volumes = volumes
    this.#fileMode = fileMode
    this.#makeRoom = makeRoom
  }

  /**
   * Writes a whole file.
   *
   * @param slot where it comes to lie
   * @param path the name of that place, for the answer
   * @throws as `Storage.write`
   */
  async write(
    slot: Slot,
    path: TreePath,
    from: Source,
    how: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    if (!('ownedFile' in from)) return this.#publish(slot, path, from, how)
    using parent = openFolder(dirname(from.ownedFile))
    const owned = { parent, name: basename(from.ownedFile) }
    return await this.#publish(slot, path, owned, how)
  }

  /**
   * Stages new content on the file system of its destination, and gives it its name.
   *
   * @param from bytes, or a staged file that is taken over when this succeeds
   */
  async #publish(
    slot: Slot,
    path: TreePath,
    from: Exclude<Source, { ownedFile: string }> | Staged,
    how: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    const makeRoom = this.#makeRoomFor(slot.parent)
    using volume = await withRoom(makeRoom, () => this.#volumes.use(slot.parent))
    const staged = await withRoom(makeRoom, () => volume.folder.staged())
    let handover: Handover | undefined
    try {
      if (!isStaged(from)) await stage(from, staged, makeRoom)
      else if (!isLinkedNear(from, staged)) {
        await copyNear(from, staged, this.#volumes.flushes)
        handover = volume.folder.handOver(staged, from.name)
      }
      const ready = handover ?? staged
      using content = ready.parent.child(ready.name, O_PATH)
      await this.#install(ready, slot, path, how)
      if (isStaged(from)) await promises.rm(from.parent.at(from.name), { force: true })
      // Only now: a name that goes changes the version, too.
      return nodeOf(path, content.stat())
    } finally {
      await handover?.end()
      // By now it is the old content, or new content that found no place.
      await promises.rm(staged.parent.at(staged.name), { force: true })
    }
  }

  /** What is kept on the file system of a folder gives way to what is written there. */
  #makeRoomFor(folder: Handle): MakeRoom {
    return async () => {
      const trash = this.#volumes.trashes?.idOf(folder)
      return trash !== undefined && (await this.#makeRoom?.(trash)) === true
    }
  }

  async #install(
    staged: Staged,
    slot: Slot,
    path: TreePath,
    { options, changes }: { options: WriteOptions; changes: Changes },
  ): Promise<void> {
    const { flushes } = this.#volumes
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const expected = statSlot(slot)
      const file = await this.#settled(staged, slot, expected, options)
      try {
        if (expected?.ctimeMs === statSlot(staged)?.ctimeMs) {
          // By the system's clock both are of one moment, and versions tell contents apart by it.
          await Bun.sleep(CLOCK_STEP_MS)
          continue
        }
        const existing = statsAt(slot)
        if (!this.#accepts(slot, path, expected, options)) continue
        // The content and the entry that tells of it, in any order; both before the name.
        const [content, told] = await Promise.allSettled([
          flushes.file(file.fd),
          changes.announcePut(staged, slot, existing),
        ])
        if (content.status === 'rejected') throw content.reason
        if (told.status === 'rejected') throw told.reason
        const step = told.value
        // From here to the rename nothing waits: what is accepted is what is replaced.
        if (!this.#accepts(slot, path, expected, options)) {
          changes.undone([step])
          continue
        }
        changes.keepReplaced(step, slot)
        if (!replaceExactly(staged, slot, existing)) {
          changes.undone([step])
          continue
        }
        changes.landed(step, staged)
        await bothSettled(syncFolder(slot.parent, flushes), changes.sync())
        return
      } finally {
        await file.close()
      }
    }
    throw new Fault('locked', 'Somebody else is changing this file. Try again.')
  }

  /**
   * Asks whether what stands under the name may be replaced by what was staged for `expected`.
   *
   * @returns false when new content has to be made for what stands there by now
   * @throws Fault notFound, isDirectory, conflict; what `accept` throws
   */
  #accepts(
    slot: Slot,
    path: TreePath,
    expected: ReturnType<typeof statSlot>,
    { accept, overwrite }: WriteOptions,
  ): boolean {
    this.#volumes.mustBeVisible(slot.parent, slot.where)
    const seen = statSlot(slot)
    accept?.(seen && nodeOf(path, seen))
    if (seen?.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
    if (seen && !overwrite) throw new Fault('conflict', 'The name is already taken.')
    return seen?.mode === expected?.mode && seen?.uid === expected?.uid
  }

  /** Mode, owner, attributes and time of new content. @returns the open file, to be flushed and closed */
  async #settled(
    staged: Staged,
    slot: Slot,
    existing: ReturnType<typeof statSlot>,
    { modifiedMs }: WriteOptions,
  ): Promise<promises.FileHandle> {
    const mode = existing ? existing.mode & KEPT_BITS : this.#fileMode
    const path = staged.parent.at(staged.name)
    if (!existing?.isFile()) return settled(path, { mode, modifiedMs })
    using like = slot.parent.child(slot.name, READ_FLAGS)
    return await settled(path, { mode, modifiedMs, owner: existing }, like)
  }
}

/** Waits for both, and then throws what one of them threw. */
async function bothSettled(one: Promise<void>, other: Promise<void>): Promise<void> {
  const results = await Promise.allSettled([one, other])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/**
 * Gives a file a second name on the file system of its destination, so that publishing is one rename
 * and the first name stays until then. @returns false where that cannot be
 */
function isLinkedNear(from: Staged, near: Staged): boolean {
  try {
    linkSync(from.parent.at(from.name), near.parent.at(near.name))
    return true
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw error
    return false
  }
}

async function copyNear(from: Staged, near: Staged, flushes: FlushQueue): Promise<void> {
  using source = from.parent.child(from.name, O_PATH)
  const { mode, mtimeMs } = source.stat()
  await copyWhole(source, near.parent.at(near.name), { mode, modifiedMs: mtimeMs }, flushes)
}

function isStaged(from: object): from is Staged {
  return 'parent' in from && from.parent instanceof Handle
}
