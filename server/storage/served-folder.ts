/** A served folder while it is open: what every view of it shares. */
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { DiskThreads } from './disk-threads.ts'
import { FoldsCase } from './folds-case.ts'
import { type Handle, openFolder } from './handle.ts'
import { Mover } from './local-move.ts'
import { Writer } from './local-write.ts'
import type { NameIndex } from './names.ts'
import { PRIVATE_FOLDER } from './private-name.ts'
import { rootPathOf } from './root-path.ts'
import { type OwnPaths, ServerFiles } from './server-files.ts'
import type { TrashId } from './step.ts'
import { Volumes } from './volumes.ts'

export interface LocalOptions {
  /** Permission bits of new files and folders (docs/decisions.md 14). */
  fileMode: number
  folderMode: number
  /** The server's own files and folders, by their paths on the disk: nobody reaches them. */
  own: OwnPaths
  /** Asked when a file is written and its disk is full: removes something of the trash there. */
  makeRoom?: (trash: TrashId) => Promise<boolean>
  /** How much room a trash folder would give back, in bytes. */
  reclaimable?: (trash: TrashId) => number
  /** Who forces what changes to the disk; the caller's to close. */
  flushes?: FlushQueue
}

export interface ServedFolder {
  root: Handle
  rootPath: () => string
  volumes: Volumes
  options: LocalOptions
  own: ServerFiles
  folds: FoldsCase
  threads: DiskThreads
  mover: Mover
  writer: Writer
  /** Told of every change; undefined for nobody. */
  index?: NameIndex
}

/** @throws as `LocalStorage.open`; system errors */
export async function openServedFolder(path: string, options: LocalOptions): Promise<ServedFolder> {
  const root = openFolder(path)
  root.names()
  const flushes = options.flushes ?? new FlushQueue()
  const volumes = await Volumes.open(root, flushes)
  const { files, folders } = options.own
  const own = new ServerFiles(
    { files, folders: [...folders, privateFolderOf(root)] },
    () => volumes.trashes?.privateFolders() ?? [],
  )
  const mover = new Mover(volumes, own)
  const writer = new Writer(volumes, options.fileMode, options.makeRoom)
  const folds = new FoldsCase(root)
  const threads = new DiskThreads()
  const rootPath = rootPathOf(root)
  return { root, rootPath, volumes, options, own, folds, threads, mover, writer }
}

export function closeServedFolder({ threads, volumes, options, root }: ServedFolder): void {
  threads.close()
  if (!options.flushes) volumes.flushes.close()
  volumes.close()
  root.close()
}

function privateFolderOf(root: Handle): string {
  const top = root.realPath()
  return top === '/' ? `/${PRIVATE_FOLDER}` : `${top}/${PRIVATE_FOLDER}`
}
