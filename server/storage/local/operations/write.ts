/**
 * Writes files. New content is staged on the file system of its destination, gets the attributes of the old file, is
 * flushed, and gets the name of the file in one step.
 */
import type { Stats } from 'node:fs'
import { basename, dirname } from 'node:path'
import { O_PATH } from '#server/os/flags.ts'
import { refreshStats } from '#server/os/refresh-stats.ts'
import type { ByteStream, Node, Source } from '#server/storage/node.ts'
import { markOf, type TrashId } from '#server/storage/step.ts'
import type { WriteOptions } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { type Inherited, inheritedIn, mayGiveGroup } from '../attributes/inherited-access.ts'
import type { Changes } from '../changes/changes.ts'
import { markUndoneOnError } from '../changes/undone-on-error.ts'
import { changesAllTheTime } from '../changes/until-made.ts'
import { executable, type OpenStaged, setAttributes } from '../copy/copy-file.ts'
import {
  lstatAt,
  type MakeRoom,
  replaceExactly,
  type Slot,
  syncFolder,
  withRoom,
} from '../handles/atomic.ts'
import { openFolder } from '../handles/descriptor.ts'
import type { OpenedFile } from '../handles/file-calls.ts'
import { Handle, NOT_OPEN, type OpenFolderAt } from '../handles/handle.ts'
import { nodeOf } from '../handles/node-of-stats.ts'
import { FINISH_FLAGS, type OpenSlot, READ_FLAGS, statSlot } from '../handles/resolve.ts'
import type { Handover } from '../private/handover.ts'
import type { Volumes } from '../volumes/volumes.ts'
import { type SmallContent, SmallFiles } from './small-files.ts'
import {
  copyUpload,
  flushAndClose,
  stageContent,
  tryLinkUpload,
  unlinkIfExists,
  unlinkSecondName,
} from './stage.ts'

/** Mode bits of a replaced file that its new content keeps. The set-user-id and set-group-id bits are dropped. */
const PRESERVED_MODE_BITS = 0o777
/** Mode bits of staged content that replaces a file, until it gets those of that file. */
const STAGED_MODE = 0o600
/** The resolution of the kernel's clock for file times, and how often the next tick is waited for. */
const CLOCK_TICK_MS = 4
const TICKS_MAX = 4
/** How often a write is tried while other programs change the file at the same time. */
const TRIES = 16

/**
 * Frees room on the file system of a trash folder for a write of a user.
 *
 * @returns false if nothing can be freed
 */
export type MakeTrashRoom = (trash: TrashId, userId: number | undefined) => Promise<boolean>

/** As in `LocalOptions`. */
export interface WriterOptions {
  fileMode: number
  makeRoom?: MakeTrashRoom
  openFolder?: OpenFolderAt
}

/** Complete new content. */
interface Content {
  staged: Slot
  /** The staged file, opened without access. */
  object: Handle
  /** The staged file, if it is open. */
  file: OpenStaged | undefined
  /** Resolves when the content is flushed and closed; undefined if it is, or `file` is open. */
  flushed: Promise<void> | undefined
  /** Whether the content has the mode and the time of a new file, so it needs nothing but its flush. */
  isFinal: boolean
}

type Staged = OpenedFile | SmallContent

export class Writer {
  readonly #volumes: Volumes
  /** Permission bits of new files. */
  readonly #fileMode: number
  readonly #makeRoom: MakeTrashRoom | undefined
  readonly #openFolder: OpenFolderAt
  readonly #smallFiles: SmallFiles

  constructor(volumes: Volumes, options: WriterOptions) {
    this.#volumes = volumes
    this.#fileMode = options.fileMode
    this.#makeRoom = options.makeRoom
    this.#openFolder = options.openFolder ?? openFolder
    this.#smallFiles = new SmallFiles(volumes.flushes)
  }

  /**
   * Writes a whole file.
   *
   * @param slot the name to write, in an open folder
   * @param path the path of the slot, for the node that is returned
   * @throws as `Storage.write`
   */
  async write(
    slot: OpenSlot,
    path: TreePath,
    from: Source,
    request: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    if (!('ownedFile' in from)) return this.#publish(slot, path, from, request)
    using parent = this.#openFolder(dirname(from.ownedFile))
    const owned = { parent, name: basename(from.ownedFile) }
    return await this.#publish(slot, path, owned, request)
  }

  /**
   * Stages new content on the file system of its destination, and publishes it.
   *
   * @param from bytes, or a staged file that is moved when this succeeds
   */
  async #publish(
    slot: OpenSlot,
    path: TreePath,
    from: Exclude<Source, { ownedFile: string }> | Slot,
    request: { options: WriteOptions; changes: Changes },
  ): Promise<Node> {
    const makeRoom = this.#makeRoomFor(slot.parent, request.options.userId)
    using volume = await withRoom(makeRoom, () => this.#volumes.use(slot.parent))
    const staged = await withRoom(makeRoom, () => volume.folder.staged())
    let handover: Handover | undefined
    let isStagedNameTaken = true
    let content: Staged | undefined
    try {
      const inherited = slot.statsWhenChecked ? undefined : inheritedIn(slot.parent)
      if (!isSlot(from)) {
        content = await this.#stage(from, staged, slot, inherited, request.options)
      } else if ((inherited && !mayGiveGroup(inherited)) || !tryLinkUpload(from, staged)) {
        const { size } = statSlot(from) ?? { size: 0 }
        await this.#volumes.reserveOn(staged.parent).take(size, makeRoom)
        await copyUpload(from, staged, inherited, this.#volumes.flushes)
        handover = volume.folder.handOver(staged, from.name)
      }
      const ready = handover ?? staged
      using object = ready.parent.child(ready.name, O_PATH)
      const complete = contentOf(ready, object, content)
      // `#install` closes an open file.
      if (complete.file) content = undefined
      const isReplaced = await this.#install(complete, slot, path, request)
      isStagedNameTaken = isReplaced || handover !== undefined
      // A second name is removed at once; the last name of a large file takes longer.
      if (isSlot(from) && !handover) unlinkSecondName(from)
      else if (isSlot(from)) await unlinkIfExists(from)
      // Read after the rename, because the rename changes the version.
      return nodeOf(path, object.stat())
    } finally {
      if (content && 'fd' in content) await content.close()
      else await content?.flushed.catch(() => undefined)
      await handover?.end()
      // The staged name may hold the replaced content, or new content that was not published.
      if (isStagedNameTaken) await unlinkIfExists(staged)
    }
  }

  /** Writes new content to `staged`. The flush of small content of a new file has then begun. */
  async #stage(
    from: ByteStream | Uint8Array,
    staged: Slot,
    slot: OpenSlot,
    inherited: Inherited | undefined,
    options: WriteOptions,
  ): Promise<Staged> {
    const makeRoom = this.#makeRoomFor(slot.parent, options.userId)
    const isNew = !inherited && slot.statsWhenChecked === undefined
    const mode = isNew ? this.#newFileMode(options) : STAGED_MODE
    const admitted = await this.#volumes.reserveOn(staged.parent).admit(from, makeRoom)
    if (!isNew || !(admitted instanceof Uint8Array))
      return stageContent(admitted, staged, { mode, makeRoom, inherited })
    const { modifiedMs } = options
    return this.#smallFiles.stage(staged, { bytes: admitted, mode, modifiedMs }, makeRoom)
  }

  /** @returns a function that deletes content from the trash of the folder's file system to make room */
  #makeRoomFor(folder: Handle, userId: number | undefined): MakeRoom {
    return async () => {
      const trash = this.#volumes.trashes?.idOf(folder)
      return trash !== undefined && (await this.#makeRoom?.(trash, userId)) === true
    }
  }

  /**
   * Gives staged content the name of a slot, and starts again if the slot changes before that.
   *
   * @param content its open file is closed
   * @returns whether a file was replaced, which then has the staged name
   */
  async #install(
    content: Content,
    slot: OpenSlot,
    path: TreePath,
    { options, changes }: { options: WriteOptions; changes: Changes },
  ): Promise<boolean> {
    const { flushes } = this.#volumes
    const { staged, object } = content
    let { file } = content
    try {
      for (let [attempt, ticks] = [0, 0]; attempt < TRIES; attempt += 1) {
        // If the name of a new file is not free any more, its publication fails.
        const expected = content.isFinal && attempt === 0 ? undefined : statSlot(slot)
        const isReady = content.isFinal && !expected
        if (!isReady) {
          file ??= object.reopen(FINISH_FLAGS)
          await this.#setFinalAttributes(file, slot, expected, options)
        }
        const hasSameTime = expected && expected.ctimeMs === object.stat().ctimeMs
        if (hasSameTime && ticks < TICKS_MAX) {
          // Two replacements within one clock tick could give the name its old version again, with a reused inode. A file
          // system with whole seconds, or without a ctime of its own, has only the inode to tell versions apart.
          ticks += 1
          await Bun.sleep(CLOCK_TICK_MS)
          continue
        }
        const existing = isReady ? undefined : lstatAt(slot)
        const present = existing && statSlot(slot)
        if (!isReady && !this.#accepts(slot, path, { present, expected }, options)) continue
        // A network file system may write the content only when the file is closed.
        // Content and journal entry are flushed in any order, but both before the name changes.
        const recorded = changes.recordPut(object, slot, existing)
        const isQuick = content.isFinal
        const closed = file && flushAndClose(file, flushes, { isQuick })
        const flushed = Promise.all([content.flushed, closed])
        file = undefined
        let [, step] = await bothSettled(flushed, recorded)
        if (step && object.fd !== NOT_OPEN) refreshStats(object.fd)
        if (step && step.after !== markOf(object.exactStat())) {
          // The file system has set the time of the file only at the flush. After a crash the record must name this file.
          changes.markUndone([step])
          step = await changes.recordPut(object, slot, existing)
        }
        // There is no wait from here to the rename, so the accepted file is the one that is replaced.
        const isPublished = markUndoneOnError(changes, [step], () => {
          const present = isReady ? undefined : statSlot(slot)
          if (!this.#accepts(slot, path, { present, expected }, options)) return false
          changes.requireOwn()
          changes.keepReplaced(step, slot)
          return replaceExactly(staged, slot, existing)
        })
        if (!isPublished) {
          changes.markUndone([step])
          continue
        }
        changes.afterPut(step, staged)
        await bothSettled(syncFolder(slot.parent, flushes), changes.sync())
        return existing !== undefined
      }
    } finally {
      await file?.close()
    }
    throw changesAllTheTime()
  }

  /**
   * Checks whether the present file may be replaced by content that has the attributes of `expected`.
   *
   * @param seen `present`: the file that is at the slot now; `expected`: the file that the attributes were taken from;
   *   each is undefined if the name is or was free
   * @returns false if the content must get the attributes of the present file first
   * @throws Fault notFound (the folder was moved or removed), isDirectory, conflict (the name is taken and must not be
   *   replaced); what `accept` throws
   */
  #accepts(
    slot: OpenSlot,
    path: TreePath,
    { present, expected }: { present: Stats | undefined; expected: Stats | undefined },
    { accept, overwrite }: WriteOptions,
  ): boolean {
    this.#volumes.requireVisible(slot.parent, slot.pathWhenChecked)
    accept?.(present && nodeOf(path, present))
    if (present?.isDirectory()) throw new Fault('isDirectory', 'A folder already has this name.')
    if (present && !overwrite) throw new Fault('conflict', 'The name is already taken.')
    return present?.mode === expected?.mode && present?.uid === expected?.uid
  }

  #newFileMode({ isExecutable = false }: WriteOptions): number {
    return isExecutable ? executable(this.#fileMode) : this.#fileMode
  }

  /** Sets mode, owner, attributes and time of new content. */
  async #setFinalAttributes(
    file: OpenStaged,
    slot: OpenSlot,
    existing: ReturnType<typeof statSlot>,
    options: WriteOptions,
  ): Promise<void> {
    const { modifiedMs } = options
    const mode = existing?.isFile()
      ? existing.mode & PRESERVED_MODE_BITS
      : this.#newFileMode(options)
    if (!existing?.isFile()) {
      return setAttributes(file, { mode, modifiedMs, inherited: inheritedIn(slot.parent) })
    }
    using like = slot.parent.child(slot.name, READ_FLAGS)
    await setAttributes(file, { mode, modifiedMs, owner: existing }, like)
  }
}

/**
 * Waits until a flush and the record of the change that it belongs to have both ended. If one failed, it throws that
 * error; if both failed, the first one.
 */
async function bothSettled<T, U>(
  first: Promise<T> | undefined,
  second: Promise<U>,
): Promise<[T | undefined, U]> {
  const results = await Promise.allSettled([first, second])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return Promise.all([first, second])
}

function isSlot(from: object): from is Slot {
  return 'parent' in from && from.parent instanceof Handle
}

function contentOf(staged: Slot, object: Handle, content: Staged | undefined): Content {
  const base = { staged, object, file: undefined, flushed: undefined, isFinal: false }
  if (!content) return base
  const isFinal = 'isFinal' in content
  return 'fd' in content
    ? { ...base, file: content, isFinal }
    : { ...base, flushed: content.flushed, isFinal }
}
