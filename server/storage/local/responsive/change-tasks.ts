/** The calls of the storage that the thread of a file system makes. */

import type { Node, Opened, Source } from '#server/storage/node.ts'
import type { KnownSince } from '#server/storage/snapshot-file.ts'
import type { ChangeOptions } from '#server/storage/step.ts'
import type {
  FolderSharing,
  RemoveOptions,
  TransferOptions,
  WriteOptions,
} from '#server/storage/storage.ts'
import type { RestoreOptions, TrashStore } from '#server/storage/trash-store.ts'
import type { TreePath } from '#wire/paths.ts'
import { OpenFile } from '../handles/open-file.ts'
import type { LocalStorage } from '../local-storage.ts'

/** A file that the thread has opened; the receiver closes it. */
export interface OpenedFd {
  node: Node
  fd: number
}

const PATHS_AT_ONCE = 1000

export const CHANGE_TASKS = {
  write: (on: LocalStorage, path: TreePath, from: Source, options: WriteOptions) =>
    on.write(path, from, options),
  mkdir: (on: LocalStorage, path: TreePath, options?: ChangeOptions) => on.mkdir(path, options),
  remove: (on: LocalStorage, path: TreePath, options?: RemoveOptions) => on.remove(path, options),
  move: (on: LocalStorage, from: TreePath, to: TreePath, options: TransferOptions) =>
    on.move(from, to, options),
  copy: (on: LocalStorage, from: TreePath, to: TreePath, options: TransferOptions) =>
    on.copy(from, to, options),
  usage: (on: LocalStorage, path: TreePath, userId?: number) => on.usage(path, userId),
  requireRoom: (on: LocalStorage, path: TreePath, bytes: number, userId?: number) =>
    on.requireRoom(path, bytes, userId),
  openForCommand: async (on: LocalStorage, path: TreePath, silent: readonly TreePath[]) => {
    const { fd, disk, folder, hidden, ...rest } = await on.openForCommand(path, silent)
    // The receiver closes it.
    return { fd, disk, folder, hidden, silent: rest.silent }
  },
  watch: (on: LocalStorage, path: TreePath, watcher: { changed: () => void }) =>
    on.can.watch?.(path, watcher.changed),
  isSameVolume: async (on: LocalStorage, from: TreePath, to: TreePath) =>
    (await on.can.isSameVolume?.(from, to)) ?? false,
  removeCopy: (on: LocalStorage, name: string, to: TreePath) => on.can.removeCopy?.(name, to),
  snapshots: async (on: LocalStorage, path: TreePath, known: KnownSince) =>
    (await on.can.snapshots?.list(path, known)) ?? [],
  snapshot: async (on: LocalStorage, path: TreePath, id: number, known: KnownSince) =>
    detached(await on.can.snapshots?.read(path, id, known)),
  clearLeftovers: (on: LocalStorage) => on.clearRecorded(),
  lacks: (on: LocalStorage) => sharingOf(on).lacks(),
  openMeeting: (on: LocalStorage) => sharingOf(on).openMeeting(),
  makeNames: (on: LocalStorage, meeting: string, side: string) =>
    sharingOf(on).makeNames(meeting, side),
  closeMeeting: (on: LocalStorage, meeting: string) => sharingOf(on).closeMeeting(meeting),
  markAt: (on: LocalStorage, path: TreePath) => trashOf(on).markAt(path),
  parentAt: (on: LocalStorage, path: TreePath) => trashOf(on).parentAt(path),
  changedSince: (on: LocalStorage, folder: TreePath, sinceMs: number, limit: number) =>
    trashOf(on).changedSince(folder, sinceMs, limit),
  trashAt: (on: LocalStorage, path: TreePath) => trashOf(on).trashAt(path),
  canKeep: (on: LocalStorage, path: TreePath) => trashOf(on).canKeep(path),
  restore: (on: LocalStorage, name: string, to: TreePath, options: RestoreOptions) =>
    trashOf(on).restore(name, to, options),
  mark: (on: LocalStorage, name: string) => trashOf(on).mark(name),
  trashUsage: (on: LocalStorage, trash: string) => trashOf(on).usage(trash),
  trashList: (on: LocalStorage, trash: string) => trashOf(on).list(trash),
  readKept: async (on: LocalStorage, name: string, path: TreePath) =>
    detached(await trashOf(on).read(name, path)),
  writeRecord: (on: LocalStorage, name: string, text: string) =>
    trashOf(on).writeRecord(name, text),
  readRecord: (on: LocalStorage, name: string) => trashOf(on).readRecord(name),
  sizeOf: (on: LocalStorage, name: string) => trashOf(on).sizeOf(name),
  discard: (on: LocalStorage, name: string) => trashOf(on).discard(name),
  async keptPaths(
    on: LocalStorage,
    name: string,
    receiver: { paths: (paths: string[]) => Promise<void> },
  ): Promise<void> {
    let paths: string[] = []
    for await (const path of trashOf(on).paths(name)) {
      paths.push(path)
      if (paths.length < PATHS_AT_ONCE) continue
      await receiver.paths(paths)
      paths = []
    }
    await receiver.paths(paths)
  },
}

export type ChangeTask = keyof typeof CHANGE_TASKS
type Task<Name extends ChangeTask> = (typeof CHANGE_TASKS)[Name]
export type ChangeTaskResult<Name extends ChangeTask> = Awaited<ReturnType<Task<Name>>>
export type ChangeTaskArguments<Name extends ChangeTask> =
  Parameters<Task<Name>> extends [LocalStorage, ...infer Rest] ? Rest : never

function trashOf(on: LocalStorage): TrashStore {
  return writable(on.can.trash)
}

function sharingOf(on: LocalStorage): FolderSharing {
  return writable(on.can.sharing)
}

function writable<T>(capability: T | undefined): T {
  if (!capability) throw new Error('This tree can only be read.')
  return capability
}

function detached(opened: Opened | undefined): OpenedFd {
  if (!(opened instanceof OpenFile)) throw new Error('This file is not on a disk.')
  return { node: opened.node, fd: opened.detach() }
}
