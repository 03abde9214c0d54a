/**
 * The server's own files where they lie in the served tree: database, configuration, keys, log,
 * previews. Nobody reaches them by any name.
 *
 * An object is known by its identity, so that a hard link is no way around, and what lies in a folder by
 * what each mount shows, so that a bind mount is none. A name in its folder is known too, so that nothing
 * is put where a file of the server's will be (a journal, a new log, a configuration that is not there yet,
 * nor the folders on the way to it). And no folder above one goes or is replaced.
 */
import { lstatSync, type Stats, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { parentPath, type TreePath } from '#wire/paths.ts'
import { diskPath, type Handle, type Identity, identityAt, identityOf } from './handle.ts'
import { mountedAgain } from './mounted-again.ts'

/** Files come, go and rotate; identities are looked up again after this time. */
const FRESH_MS = 1000
const FOLDERS_MAX = 10_000
/** Folders above a folder that are asked for their identity: a folder of the server's is less deep. */
const NEAR_FOLDERS = 8

export interface OwnPaths {
  /** Absolute, links resolved as far as they exist; the files themselves may be missing. */
  files: readonly string[]
  /** Folders that are the server's with all they hold. */
  folders: readonly string[]
}

interface Known {
  /** Those of the server's, also where they are mounted once more. */
  paths: { files: string[]; folders: string[] }
  /** Files and folders of the server's. */
  objects: Set<Identity>
  /** Inodes of the same, for the quick look. */
  inodes: Set<number>
  /** Folder and lower-cased name of each. */
  slots: Map<Identity, Set<string>>
  /** Every folder above one. */
  above: Set<Identity>
  /** Folders already looked at: whether they lie in a folder of the server's. */
  inside: Map<string, boolean>
  untilMs: number
}

export class ServerFiles {
  readonly #paths: OwnPaths
  readonly #all: readonly string[]
  readonly #elsewhere: () => readonly string[]
  #known: Known | undefined

  /** @param elsewhere folders of the server's that come and go: only commands would reach them, by their names */
  constructor(paths: OwnPaths, elsewhere: () => readonly string[] = () => []) {
    this.#paths = paths
    this.#elsewhere = elsewhere
    this.#all = [...paths.files, ...paths.folders]
  }

  /** Those that lie below a folder, by their paths on the disk. */
  below(folder: string): OwnPaths {
    const prefix = folder === '/' ? '/' : `${folder}/`
    const lies = (path: string) => path.startsWith(prefix)
    const { files, folders } = this.#current().paths
    return { files: files.filter(lies), folders: [...folders, ...this.#elsewhere()].filter(lies) }
  }

  /** Whether a name in an open folder is the server's, or would be if it existed. */
  holds(folder: Handle, name: string): boolean {
    if (this.#all.length === 0) return false
    if (this.#isSlot(folder.identity(), name)) return true
    const found = identityAt(folder.at(name))
    return found !== undefined && this.#current().objects.has(found)
  }

  /** Whether a folder, by its real path on the disk, is a folder of the server's or lies in one. */
  isInside(disk: string): boolean {
    if (this.#paths.folders.length === 0) return false
    const { objects, inside, paths } = this.#current()
    const known = inside.get(disk)
    if (known !== undefined) return known
    if (inside.size >= FOLDERS_MAX) inside.clear()
    // By its path, and, where a file system finds it in other letters, by the nearest folders' identities.
    const near = foldersFrom(disk).slice(0, NEAR_FOLDERS)
    const found =
      paths.folders.some((folder) => disk === folder || disk.startsWith(`${folder}/`)) ||
      near.some((path) => objects.has(identityOfFolder(path) ?? ''))
    inside.set(disk, found)
    return found
  }

  /** Whether an open object is one of the server's. @param stats what it is at this moment */
  is(object: Handle, { ino }: Pick<Stats, 'ino'> = object.stat()): boolean {
    if (this.#all.length === 0) return false
    const { inodes, objects } = this.#current()
    return inodes.has(ino) && objects.has(object.identity())
  }

  /** `is`, for the names in a folder that is being listed: their inodes are known already. */
  listedIn(folder: Handle): (name: string, inode: number) => boolean {
    if (this.#all.length === 0) return () => false
    const { inodes, objects, slots } = this.#current()
    const taken = slots.get(folder.identity())
    return (name, inode) => {
      if (taken?.has(name.toLowerCase())) return true
      if (!inodes.has(inode)) return false
      const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
      return !!stats && objects.has(identityOf(stats))
    }
  }

  /** Whether a file of the server's lies anywhere below a folder. */
  isAbove(folder: Identity): boolean {
    return this.#all.length > 0 && this.#current().above.has(folder)
  }

  #isSlot(folder: Identity, name: string): boolean {
    return this.#current().slots.get(folder)?.has(name.toLowerCase()) ?? false
  }

  #current(): Known {
    if (this.#known && Date.now() < this.#known.untilMs) return this.#known
    const objects = new Set<Identity>()
    const inodes = new Set<number>()
    const slots = new Map<Identity, Set<string>>()
    const above = new Set<Identity>()
    const paths = { files: [...this.#paths.files], folders: [...this.#paths.folders] }
    for (const path of mountedAgain(this.#all)) {
      const isFolder = statSync(diskPath(path), { throwIfNoEntry: false })?.isDirectory()
      paths[isFolder ? 'folders' : 'files'].push(path)
    }
    for (const path of new Set([...paths.files, ...paths.folders])) {
      const stats = lstatSync(diskPath(path), { bigint: true, throwIfNoEntry: false })
      if (stats) {
        objects.add(identityOf(stats))
        inodes.add(Number(stats.ino))
      }
      const slot = slotOf(path)
      const names = slots.get(slot.folder) ?? new Set()
      slots.set(slot.folder, names.add(slot.name.toLowerCase()))
      for (const folder of foldersFrom(slot.in)) {
        const identity = identityOfFolder(folder)
        if (identity) above.add(identity)
      }
    }
    const untilMs = Date.now() + FRESH_MS
    this.#known = { paths, objects, inodes, slots, above, inside: new Map(), untilMs }
    return this.#known
  }
}

/**
 * The name that must stay the server's for a path to be: the last one, or the first on the way that is not
 * there yet, so that nobody makes the rest of the way.
 */
function slotOf(path: string): { folder: Identity; in: string; name: string } {
  for (let at = path; ; at = dirname(at)) {
    const folder = identityOfFolder(dirname(at))
    if (folder || dirname(at) === at) {
      return { folder: folder ?? '', in: dirname(at), name: basename(at) }
    }
  }
}

/** A folder and those above it, from the inside out. */
function foldersFrom(disk: string): string[] {
  const folders = [disk]
  for (let path = disk as TreePath; path !== '/'; ) {
    path = parentPath(path)
    folders.push(path)
  }
  return folders
}

function identityOfFolder(path: string): Identity | undefined {
  const stats = statSync(diskPath(path), { bigint: true, throwIfNoEntry: false })
  return stats && identityOf(stats)
}
