/**
 * Writes files. New content is staged on the file system of its destination, gets the attributes of the old file, is
 * flushed, and gets the name of the file in one step.
 */
import { fstatSync, linkSync, promises } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import {
  lstatAt,
  type MakeRoom,
  replaceExactly,
  type Staged,
  stageContent,
  syncFolder,
  withRoom,
} from './atomic.ts'
import type { Changes } from './changes.ts'
import { copyWhole, openStaged, setAttributes } from './copy-file.ts'
import { Handle, openFolder } from './handle.ts'
import type { Handover } from './handover.ts'
import { nodeOf } from './local-node.ts'
import { READ_FLAGS, type Slot, statSlot } from './local-resolve.ts'
import type { Node, Source } from './node.ts'
import type { TrashId } from './step.ts'
import type { WriteOptions } from './storage.ts'
import type { Volumes } from './volumes.ts'

/** Mode bits of a replaced file that its new content keeps. The set-user-id and set-group-id bits are dropped. */
const PRESERVED_MODE_BITS = 0o777
/** The resolution of the kernel's clock for file times. */
const CLOCK_TICK_MS = 4
/** How often a write is tried while other programs change the file at the same time. */
const TRIES = 16

/**
 * Frees room on the file system of a trash folder.
 *
 * @returns false if nothing can be freed
 */
export type MakeTrashRoom = (trash: TrashId) => Promise<boolean>

export class Writer {
  readonly #volumes: Volumes
  /** Permission bits of new files. */
  readonly #fileMode: number
  readonly #makeRoom: MakeTrashRoom | undefined

  constructor(volumes: Volumes, fileMode: number, makeRoom?: MakeTrashRoom) {
    this.#volumes = volumes
    this.#fileMode = fileMode
    this.#makeRoom = makeRoom
  }

  /**
   * Writes a whole file.
   *
   * @param slot the name to write, in an open folder
   * @param path the path of the slot, for the node that is returned
   * @throws as `Storage.write`
   */
  async write(
    slot: Slot,
    path: TreePath,
    from: Source,
    request: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    if (!('ownedFile' in from)) return this.#publish(slot, path, from, request)
    using parent = openFolder(dirname(from.ownedFile))
    const owned = { parent, name: basename(from.ownedFile) }
    return await this.#publish(slot, path, owned, request)
  }

  /**
   * Stages new content on the file system of its destination, and publishes it.
   *
   * @param from bytes, or a staged file that is moved when this succeeds
   */
  async #publish(
    slot: Slot,
    path: TreePath,
    from: Exclude<Source, { ownedFile: string }> | Staged,
    request: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    const makeRoom = this.#makeRoomFor(slot.parent)
    using volume = await withRoom(makeRoom, () => this.#volumes.use(slot.parent))
    const staged = await withRoom(makeRoom, () => volume.folder.staged())
    let handover: Handover | undefined
    let isLeft = true
    try {
      let written: promises.FileHandle | undefined
      if (!isStaged(from)) written = await stageContent(from, staged, makeRoom)
      else if (!isLinkedNear(from, staged)) {
        await copyNear(from, staged, this.#volumes.flushes)
        handover = volume.folder.handOver(staged, from.name)
      }
      const ready = handover ?? staged
      using content = ready.parent.child(ready.name, O_PATH)
      const { isReplaced } = await this.#install(ready, written, slot, path, request)
      isLeft = isReplaced || handover !== undefined
      if (isStaged(from)) await promises.rm(from.parent.at(from.name), { force: true })
      // Read after the rename, because the rename changes the version.
      return nodeOf(path, content.stat())
    } finally {
      await handover?.end()
      // The staged name may hold the replaced content, or new content that was not published.
      if (isLeft) await promises.rm(staged.parent.at(staged.name), { force: true })
    }
  }

  /** @returns a function that deletes content from the trash of the folder's file system to make room */
  #makeRoomFor(folder: Handle): MakeRoom {
    return async () => {
      const trash = this.#volumes.trashes?.idOf(folder)
      return trash !== undefined && (await this.#makeRoom?.(trash)) === true
    }
  }

  /**
   * Gives staged content the name of a slot, and starts again if the slot changes before that.
   *
   * @param written the staged file if it is open; it is closed
   * @returns whether a file was replaced, which then has the staged name
   */
  async #install(
    staged: Staged,
    written: promises.FileHandle | undefined,
    slot: Slot,
    path: TreePath,
    { options, changes }: { options: WriteOptions; changes: Changes },
  ): Promise<{ isReplaced: boolean }> {
    const { flushes } = this.#volumes
    let file = written
    try {
      for (let attempt = 0; attempt < TRIES; attempt += 1) {
        const expected = statSlot(slot)
        file ??= await openStaged(staged.parent.at(staged.name))
        await this.#setFinalAttributes(file, slot, expected, options)
        if (expected?.ctimeMs === fstatSync(file.fd).ctimeMs) {
          // If old and new file changed within one clock tick, both would have the same times, so the same version.
          await Bun.sleep(CLOCK_TICK_MS)
          continue
        }
        const existing = lstatAt(slot)
        if (!this.#accepts(slot, path, expected, options)) continue
        // A network file system may write the content only when the file is closed.
        const content = flushAndClose(file, flushes)
        file = undefined
        // Content and journal entry are flushed in any order, but both before the name changes.
        const recorded = changes.recordPut(staged, slot, existing)
        const [, step] = await bothSettled(content, recorded)
        // There is no wait from here to the rename, so the accepted file is the one that is replaced.
        if (!this.#accepts(slot, path, expected, options)) {
          changes.markUndone([step])
          continue
        }
        changes.keepReplaced(step, slot)
        if (!replaceExactly(staged, slot, existing)) {
          changes.markUndone([step])
          continue
        }
        changes.afterPut(step, staged)
        await bothSettled(syncFolder(slot.parent, flushes), changes.sync())
        return { isReplaced: existing !== undefined }
      }
    } finally {
      await file?.close()
    }
    throw new Fault('locked', 'Another user or program is changing this file. Try again.')
  }

  /**
   * Checks whether the present file may be replaced by content that has the attributes of `expected`.
   *
   * @param expected the file that the attributes were taken from; undefined for a free name
   * @returns false if the content must get the attributes of the present file first
   * @throws Fault notFound (the folder was moved or removed), isDirectory, conflict (the name is taken and must not be
   *   replaced); what `accept` throws
   */
  #accepts(
    slot: Slot,
    path: TreePath,
    expected: ReturnType<typeof statSlot>,
    { accept, overwrite }: WriteOptions,
  ): boolean {
    this.#volumes.requireVisible(slot.parent, slot.pathWhenChecked)
    const present = statSlot(slot)
    accept?.(present && nodeOf(path, present))
    if (present?.isDirectory()) throw new Fault('isDirectory', 'A folder already has this name.')
    if (present && !overwrite) throw new Fault('conflict', 'The name is already taken.')
    return present?.mode === expected?.mode && present?.uid === expected?.uid
  }

  /** Sets mode, owner, attributes and time of new content. */
  async #setFinalAttributes(
    file: promises.FileHandle,
    slot: Slot,
    existing: ReturnType<typeof statSlot>,
    { modifiedMs, isExecutable = false }: WriteOptions,
  ): Promise<void> {
    const newFileMode = isExecutable ? executable(this.#fileMode) : this.#fileMode
    const mode = existing ? existing.mode & PRESERVED_MODE_BITS : newFileMode
    if (!existing?.isFile()) return setAttributes(file, { mode, modifiedMs })
    using like = slot.parent.child(slot.name, READ_FLAGS)
    await setAttributes(file, { mode, modifiedMs, owner: existing }, like)
  }
}

/** @returns the mode with execute permission for all who may read */
function executable(mode: number): number {
  return mode | ((mode & 0o444) >> 2)
}

async function flushAndClose(file: promises.FileHandle, flushes: FlushQueue): Promise<void> {
  try {
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}

/** Waits until both have ended. If one failed, it throws that error; if both failed, the first one. */
async function bothSettled<T, U>(first: Promise<T>, second: Promise<U>): Promise<[T, U]> {
  const results = await Promise.allSettled([first, second])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return Promise.all([first, second])
}

/**
 * Links an uploaded file to a staged name, so that publication is one rename and the upload keeps its first name until
 * then.
 *
 * @returns false if the two names are on different file systems, or the file system has no hard links
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

/** Copies an uploaded file to a staged name on the file system of its destination. */
async function copyNear(from: Staged, near: Staged, flushes: FlushQueue): Promise<void> {
  using source = from.parent.child(from.name, O_PATH)
  const { mode, mtimeMs } = source.stat()
  await copyWhole(source, near.parent.at(near.name), { mode, modifiedMs: mtimeMs }, flushes)
}

function isStaged(from: object): from is Staged {
  return 'parent' in from && from.parent instanceof Handle
}
