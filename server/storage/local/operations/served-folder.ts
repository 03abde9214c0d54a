/** The open served folder: the state that all `LocalStorage` objects for it and for folders below it share. */

import { FlushQueue } from '#server/flush/flush-queue.ts'
import type { NameIndex } from '#server/storage/names.ts'
import type { TrashId } from '#server/storage/step.ts'
import { PRIVATE_FOLDER } from '#wire/reserved-names.ts'
import { FoldsCase } from '../confine/folds-case.ts'
import { NameAliases } from '../confine/name-aliases.ts'
import { type OwnPaths, ServerFiles } from '../confine/server-files.ts'
import { OtherDisks } from '../devices/other-disks.ts'
import { openFolder } from '../handles/descriptor.ts'
import { type Handle, type OpenFolderAt, rootPathOf } from '../handles/handle.ts'
import { DiskThreads } from '../read/disk-threads.ts'
import type { Reserve } from '../room/disk-reserve.ts'
import { Volumes } from '../volumes/volumes.ts'
import { Mover } from './move.ts'
import { Writer } from './write.ts'

export interface LocalOptions {
  /** Opens the served folder, by the calls of this system. The storage opens all else below it. */
  openFolder?: OpenFolderAt
  /** Permission bits of new files and folders (docs/decisions.md 14). */
  fileMode: number
  folderMode: number
  /** Paths on the disk of the server's own files and folders, which no operation reaches. */
  ownPaths: OwnPaths
  /** Called when the disk is full during a write of a user: deletes content from this trash; false if it may not. */
  makeRoom?: (trash: TrashId, userId: number | undefined) => Promise<boolean>
  /** How many bytes `makeRoom` can free for a user. */
  reclaimable?: (trash: TrashId, userId: number | undefined) => Promise<number>
  /** What new content leaves free. */
  reserve?: Reserve
  /** Flushes files to the disk; the caller closes it. */
  flushes?: FlushQueue
  /** Called with what processes that have ended had left. */
  recovered?: ((kind: 'staged' | 'hidden', count: number) => void) | undefined
  /** How long a file system below the root may take, in milliseconds. */
  diskDeadlineMs?: number
  /** Whether threads of their own change the other file systems (`ResponsiveStorage`). */
  leavesOtherDisks?: boolean
  /** In the thread of another file system: its number, and the name of this process's folder. */
  device?: { id: string; processFolder: string }
}

export interface ServedFolder {
  root: Handle
  ownPaths: OwnPaths
  /** @returns the real path of the root, at most a moment old */
  rootPath: () => string
  volumes: Volumes
  options: LocalOptions
  serverFiles: ServerFiles
  folds: FoldsCase
  aliases: NameAliases
  disks: OtherDisks
  threads: DiskThreads
  mover: Mover
  writer: Writer
  /** Notified of every change, if present. */
  index?: NameIndex
}

/** @throws as `LocalStorage.open`; system errors */
export async function openServedFolder(path: string, options: LocalOptions): Promise<ServedFolder> {
  const { openFolder: open = openFolder } = options
  const root = open(path)
  const flushes = options.flushes ?? new FlushQueue()
  const { files, folders } = options.ownPaths
  const ownPaths = { files, folders: [...folders, privateFolderOf(root)] }
  const { device, leavesOtherDisks = false } = options
  const disks = new OtherDisks(root, ownPaths, { deadlineMs: options.diskDeadlineMs, device })
  try {
    root.names()
    const volumes = await Volumes.open(root, flushes, {
      reserve: options.reserve,
      isMine: (path) => !leavesOtherDisks || !disks.isOnMount(path),
      mayTouch: () => disks.mayTouchRoot(),
      joined: device?.processFolder,
      recovered: options.recovered,
    })
    return servedFolderOf(root, { volumes, disks, ownPaths }, options)
  } catch (error) {
    disks.close()
    if (!options.flushes) flushes.close()
    root.close()
    throw error
  }
}

function servedFolderOf(
  root: Handle,
  { volumes, disks, ownPaths }: { volumes: Volumes; disks: OtherDisks; ownPaths: OwnPaths },
  options: LocalOptions,
): ServedFolder {
  const serverFiles = new ServerFiles(
    ownPaths,
    (folder, silent) => volumes.trashes?.privateFolders(folder, silent) ?? [],
  )
  const mover = new Mover(volumes, serverFiles)
  const writer = new Writer(volumes, options)
  const folds = new FoldsCase(root, disks.mounts)
  const aliases = new NameAliases()
  const threads = new DiskThreads()
  const rootPath = rootPathOf(root)
  const found = { serverFiles, folds, aliases, disks, threads }
  return { root, ownPaths, rootPath, volumes, options, mover, writer, ...found }
}

export function closeServedFolder({ threads, disks, volumes, options, root }: ServedFolder): void {
  threads.close()
  disks.close()
  if (!options.flushes) volumes.flushes.close()
  volumes.close()
  root.close()
}

function privateFolderOf(root: Handle): string {
  const path = root.realPath()
  return path === '/' ? `/${PRIVATE_FOLDER}` : `${path}/${PRIVATE_FOLDER}`
}
