/** The trash of a local storage: reads, restores and deletes removed or replaced content. */
import { constants } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import { markOf, type TrashId, trashOf } from '#server/storage/step.ts'
import type { RestoreOptions, TrashStore } from '#server/storage/trash-store.ts'
import { Fault } from '#wire/fault.ts'
import { parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { changedSince } from '../changes/changed-since.ts'
import type { Changes } from '../changes/changes.ts'
import { folderMark, requireParent } from '../changes/folder-mark.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { lstatAt } from '../handles/atomic.ts'
import { notMounted, toFault, withFaults } from '../handles/faults.ts'
import { nodeOf } from '../handles/node-of-stats.ts'
import { clampRange, OpenFile } from '../handles/open-file.ts'
import { type OpenSlot, READ_FLAGS } from '../handles/resolve.ts'
import type { MountsBelow } from '../mounts/mounts-below.ts'
import type { HeldName, TrashFolder } from '../trash/trash-folder.ts'
import type { TrashFolders } from '../trash/trash-folders.ts'
import type { Mover } from './move.ts'

/** The parts of a storage that the trash uses. */
export interface TrashDeps {
  confined(): ConfinedFolder
  changes(confined: ConfinedFolder, options: RestoreOptions): Changes
  mover: Mover
  /** The mounts below the served folder. */
  mounts: Pick<MountsBelow, 'crossedBy'>
  /** Notifies the index of a change at the slot when the result is disposed of. */
  notifiesIndex(slot: OpenSlot): Disposable
}

/** @returns the trash of the served folder, with the paths and access checks of one view */
export function trashStoreOf(trashes: TrashFolders, view: TrashDeps): TrashStore {
  return {
    get writer() {
      return trashes.writer
    },
    identity: (isCopy) => trashes.identity(isCopy),
    isGone: (writer) => trashes.isGone(writer),
    markAt: (path) =>
      withFaults(() =>
        inSlot(view, path, (slot) => {
          const stats = lstatAt(slot)
          return stats && markOf(stats)
        }),
      ),
    parentAt: (path) => withFaults(() => inSlot(view, path, ({ parent }) => folderMark(parent))),
    changedSince: (folder, sinceMs, limit) =>
      withFaults(async () => {
        using confined = view.confined()
        using slot = confined.slot(folder)
        return await changedSince(slot, sinceMs, limit)
      }),
    mark: (name) => withFaults(() => keeping(trashes, name).mark(name)),
    isAway: (name) => trashes.isAway(name),
    trashOf,
    trashAt: (path) => withFaults(() => trashAt(trashes, view, path)),
    diskAt: (path) => view.mounts.crossedBy(path)?.path ?? ROOT,
    canKeep: (path) => withFaults(() => canKeep(trashes, view, path)),
    trashes: () => trashes.present().map(({ id }) => id),
    usage: (trash) => withFaults(() => trashes.usage(trash)),
    list: (trash) => withFaults(() => listOf(trashes.folder(trash))),
    restore: (name, to, options) =>
      withFaults(async () => {
        const trash = trashes.named(name)
        using content = locate(trashes, name)
        using confined = view.confined()
        using target = confined.slot(to)
        requireParent(target, options.expectParent)
        using _ = view.notifiesIndex(target)
        const changes = view.changes(confined, options)
        await view.mover.publish(content, target, { ...options, changes })
        // After an exchange the replaced file is under this name, and was given a trash name of its own.
        if (options.overwrite) await trash.discard(name)
        trash.removeRecord(name)
        trash.removeIfEmpty()
        return confined.realOf(target)
      }),
    read: (name, path, range) => withFaults(() => readKept(trashes, name, path, range)),
    isShared: () => trashes.isShared(),
    writeRecord: (name, text) => withFaults(() => keeping(trashes, name).writeRecord(name, text)),
    readRecord: (name) => withFaults(() => keeping(trashes, name).readRecord(name)),
    sizeOf: (name) => withFaults(() => keeping(trashes, name).sizeOf(name)),
    async *paths(name) {
      try {
        for await (const { path } of keeping(trashes, name).walk(name)) yield path
      } catch (error) {
        throw toFault(error)
      }
    },
    discard: (name) => withFaults(() => keeping(trashes, name).discard(name)),
  }
}

/** @returns what `read` returns for the slot of a path; undefined if the folder of the path does not exist */
function inSlot<T>(
  view: TrashDeps,
  path: TreePath,
  read: (slot: OpenSlot) => T | undefined,
): T | undefined {
  try {
    using confined = view.confined()
    using slot = confined.slot(path)
    return read(slot)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

function readKept(
  trashes: TrashFolders,
  name: string,
  path: TreePath,
  range: ((node: Node) => ByteRange | undefined) | undefined,
): Opened {
  using content = locate(trashes, name)
  const file = content.parent.child(name, READ_FLAGS | constants.O_NOFOLLOW)
  try {
    const stats = file.stat()
    if (!stats.isFile()) throw new Fault('unsupported', 'This is not a regular file.')
    const node = nodeOf(path, stats)
    const clamped = clampRange(range?.(node), node.sizeBytes)
    return new OpenFile(file, node, clamped)
  } catch (error) {
    file.close()
    throw error
  }
}

function listOf(trash: TrashFolder | undefined): { name: string; sinceMs: number }[] {
  if (!trash) return []
  return trash.names().flatMap((name) => {
    const stats = trash.stats(name)
    // The ctime is the time of the rename to the trash; users cannot set it.
    return stats ? { name, sinceMs: Number(stats.ctimeMs) } : []
  })
}

/** @throws Fault notFound (the content was deleted), unavailable (its file system is not mounted) */
function locate(trashes: TrashFolders, name: string): HeldName {
  const trash = keeping(trashes, name)
  if (trash.stats(name)) return trash.at(name)
  throw new Fault('notFound', 'The content was deleted permanently.')
}

/**
 * @returns the trash folder of a trash name. Nothing may conclude from an empty mount point, or from another disk that is
 *   mounted there, that content was deleted.
 * @throws Fault unavailable (its file system is not mounted)
 */
function keeping(trashes: TrashFolders, name: string): TrashFolder {
  if (trashes.isAway(name)) throw notMounted()
  return trashes.named(name)
}

function canKeep(trashes: TrashFolders, view: TrashDeps, path: TreePath): boolean {
  return inSlot(view, path, ({ parent }) => trashes.of(parent)?.isReady) ?? false
}

/** @returns the trash folder for a path, or for the nearest existing folder above it */
function trashAt(trashes: TrashFolders, view: TrashDeps, path: TreePath): TrashId | undefined {
  using confined = view.confined()
  for (let ancestor = path; ; ancestor = parentPath(ancestor)) {
    try {
      using folder = confined.openFolder(ancestor)
      return trashes.idOf(folder.handle)
    } catch (error) {
      if (ancestor === ROOT) throw error
    }
  }
}
