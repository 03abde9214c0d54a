/**
 * The server's own files inside the served tree: database, configuration, keys, log, previews. No operation
 * reaches them by any name.
 *
 * A file of the server is recognised by its identity, so also by another hard link. The paths of the server's
 * folders are looked up in every mount, so their content is also recognised through a bind mount. The names are
 * reserved too: nothing can be created at the path of a file that the server may create later, such as a new log, or
 * of a missing folder above it. A folder that contains a file of the server cannot be moved, removed or replaced.
 */
import { type BigIntStats, lstatSync, type Stats, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { errnoOf } from '#server/os/errno.ts'
import { caselessText } from '#wire/fold.ts'
import type { TreePath } from '#wire/paths.ts'
import {
  type DiskPath,
  diskPath,
  type Handle,
  type Identity,
  identityAt,
  identityOf,
} from '../handles/handle.ts'
import { mountsShowing } from '../mounts/mounts.ts'

/** Files are created and rotated, so identities are read again after this time. */
const FRESH_MS = 1000
/** `Known.inside` is emptied at this size. */
const FOLDERS_MAX = 10_000
/** How many folders from a path upwards are compared by identity. */
const NEAR_FOLDERS = 8

export interface OwnPaths {
  /** Absolute, links resolved as far as they exist; the files need not exist. */
  files: readonly string[]
  /** Folders that belong to the server with all their content. */
  folders: readonly string[]
}

/**
 * @param folder the real path of a folder on the disk
 * @param silent mount points below the served root, which are not touched
 * @returns folders of the server below `folder`
 */
type OtherFolders = (folder: string, silent: readonly TreePath[]) => readonly string[]

/** What is known of the server's files at one moment. */
interface Known {
  /** The server's paths, including those under further mounts. */
  paths: { files: string[]; folders: string[] }
  /** Identities of the server's files and folders. */
  objects: Set<Identity>
  /** The inodes of these, for a quick check. */
  inodes: Set<number>
  /** Key: a parent folder of the server's paths; value: the lower-case names that are reserved in it. */
  slots: Map<Identity, Set<string>>
  /** All folders above a path of the server. */
  above: Set<Identity>
  /** Key: a path of a folder; value: whether it is a folder of the server or inside one. A cache. */
  inside: Map<string, boolean>
  untilMs: number
}

export class ServerFiles {
  readonly #paths: OwnPaths
  readonly #all: readonly string[]
  readonly #otherFolders: OtherFolders
  #known: Known | undefined

  /** @param otherFolders folders of the server that change at run time; only commands could open them */
  constructor(paths: OwnPaths, otherFolders: OtherFolders = () => []) {
    this.#paths = paths
    this.#otherFolders = otherFolders
    this.#all = [...paths.files, ...paths.folders]
  }

  /**
   * @param silent mount points below the served root that must not be touched
   * @returns the server's files and folders below a folder, as paths on the disk; none that is below `silent`
   */
  below(folder: string, silent: readonly TreePath[]): OwnPaths {
    const prefix = folder === '/' ? '/' : `${folder}/`
    const isBelow = (path: string) => path.startsWith(prefix)
    const { files, folders } = this.#current().paths
    return {
      files: files.filter(isBelow),
      folders: [...folders, ...this.#otherFolders(folder, silent)].filter(isBelow),
    }
  }

  /**
   * Whether a name in an open folder belongs to the server, even if no file of that name exists.
   *
   * @param stats of the name; undefined if it is free
   */
  holds(folder: Handle, name: string, stats: { ino: number | bigint } | undefined): boolean {
    if (this.#all.length === 0) return false
    if (this.#isReserved(folder.identity(), name)) return true
    const { inodes, objects } = this.#current()
    if (!stats || !inodes.has(Number(stats.ino))) return false
    const identity = identityAt(folder.at(name))
    return identity !== undefined && objects.has(identity)
  }

  /** Whether `holds` or `isInside` may be true for a path. This is faster, because it opens nothing. */
  mayReserve(disk: string): boolean {
    if (this.#all.length === 0) return false
    const name = caselessText(basename(disk))
    const isReserved = this.#current()
      .slots.values()
      .some((names) => names.has(name))
    return isReserved || this.isInside(dirname(disk))
  }

  /** Whether a folder, by its real path, is a folder of the server or inside one. */
  isInside(disk: string): boolean {
    if (this.#paths.folders.length === 0) return false
    const { objects, inside, paths } = this.#current()
    const known = inside.get(disk)
    if (known !== undefined) return known
    if (inside.size >= FOLDERS_MAX) inside.clear()
    // Compare paths, and, because a file system may ignore case, the identities of the nearest folders.
    const near = foldersFrom(disk).slice(0, NEAR_FOLDERS)
    const isInside =
      paths.folders.some((folder) => disk === folder || disk.startsWith(`${folder}/`)) ||
      near.some((path) => objects.has(identityOfFolder(path) ?? ''))
    inside.set(disk, isInside)
    return isInside
  }

  /**
   * Whether an open object belongs to the server.
   *
   * @param stats of the object
   */
  is(object: Handle, { ino }: Pick<Stats, 'ino'> = object.stat()): boolean {
    if (this.#all.length === 0) return false
    const { inodes, objects } = this.#current()
    return inodes.has(ino) && objects.has(object.identity())
  }

  /** @returns a function that tells whether an entry of an open folder belongs to the server */
  listedIn(folder: Handle): (name: string, inode: number) => boolean {
    if (this.#all.length === 0) return () => false
    const { inodes, objects, slots } = this.#current()
    const reservedNames = slots.get(folder.identity())
    return (name, inode) => {
      if (reservedNames?.has(caselessText(name))) return true
      if (!inodes.has(inode)) return false
      const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false })
      return !!stats && objects.has(identityOf(stats))
    }
  }

  /** Whether a file of the server is anywhere below a folder. */
  isAbove(folder: Identity): boolean {
    return this.#all.length > 0 && this.#current().above.has(folder)
  }

  /** Whether a name in a folder is reserved for the server. */
  #isReserved(folder: Identity, name: string): boolean {
    return this.#current().slots.get(folder)?.has(caselessText(name)) ?? false
  }

  /** Reads paths and identities again if they are too old. */
  #current(): Known {
    if (this.#known && Date.now() < this.#known.untilMs) return this.#known
    const objects = new Set<Identity>()
    const inodes = new Set<number>()
    const slots = new Map<Identity, Set<string>>()
    const above = new Set<Identity>()
    const paths = { files: [...this.#paths.files], folders: [...this.#paths.folders] }
    for (const path of mountsShowing(this.#all)) {
      const isFolder = statIfAllowed(path, statSync)?.isDirectory()
      paths[isFolder ? 'folders' : 'files'].push(path)
    }
    for (const path of new Set([...paths.files, ...paths.folders])) {
      const stats = statIfAllowed(path, lstatSync)
      if (stats) {
        objects.add(identityOf(stats))
        inodes.add(Number(stats.ino))
      }
      const slot = slotOf(path)
      const names = slots.get(slot.folder) ?? new Set()
      slots.set(slot.folder, names.add(caselessText(slot.name)))
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
 * @returns the slot of a path: its last name, or that of the first missing folder above it, so that no user creates it;
 *   `in` is the path of the slot's folder
 */
function slotOf(path: string): { folder: Identity; in: string; name: string } {
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    const folder = identityOfFolder(dirname(ancestor))
    if (folder || dirname(ancestor) === ancestor) {
      return { folder: folder ?? '', in: dirname(ancestor), name: basename(ancestor) }
    }
  }
}

/** @returns a folder and those above it, innermost first */
function foldersFrom(disk: string): string[] {
  const folders = [disk]
  for (let path = disk; path !== dirname(path); ) {
    path = dirname(path)
    folders.push(path)
  }
  return folders
}

function identityOfFolder(path: string): Identity | undefined {
  const stats = statIfAllowed(path, statSync)
  return stats && identityOf(stats)
}

type StatCall = (path: DiskPath, options: typeof STAT_OPTIONS) => BigIntStats | undefined
const STAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const

/**
 * @returns undefined if nothing is there, or if this system account may not enter a folder above it, such as the home
 *   folder of another one: then no operation can reach it there either
 */
function statIfAllowed(path: string, stat: StatCall): BigIntStats | undefined {
  try {
    return stat(diskPath(path), STAT_OPTIONS)
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return undefined
    throw error
  }
}
