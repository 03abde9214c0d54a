/**
 * Reads folders of the served tree for the index of names, as a listing without access rules would show them. Links in
 * the path are not followed, so that each folder is read under one path only.
 */

import { errnoOf } from '#server/os/errno.ts'
import { O_CLOEXEC, O_DIRECTORY, O_FOLDER } from '#server/os/flags.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { isReservedName } from '#wire/reserved-names.ts'
import type { Handle } from '../handles/handle.ts'
import { kindOf } from '../handles/node-of-stats.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import {
  type FolderRecords,
  namesOf,
  STAT_FIELD_COUNT,
  STAT_FIELDS,
} from '../read/folder-records.ts'
import { listOneByOne } from '../read/list-folder.ts'
import { readFolder } from '../read/read-folder.ts'
import { FoldsCase } from './folds-case.ts'
import { type OwnPaths, ServerFiles } from './server-files.ts'

/**
 * Times of file systems have steps of up to two seconds (FAT): a folder that was changed so recently may be changed again
 * without another time.
 */
const TIME_STEP_MS = 2000

/** Identifies a folder and the last change of its names. */
export interface FolderVersion {
  ino: number
  /** NaN, which equals no time, if the names may change without another time. */
  modifiedMs: number
  /** The ctime. File systems without one return another of the times. */
  changedMs: number
}

/** The entries of a folder, unordered: the arrays have one element for each entry, in the same order. */
export interface FolderContents {
  version: FolderVersion
  /** Whether the folder ignores the case of names. */
  foldsCase: boolean
  names: string[]
  kinds: ('folder' | 'link' | 'other')[]
  sizes: number[]
  inodes: number[]
}

export class TreeReader implements Disposable {
  readonly #root: Handle
  readonly #serverFiles: ServerFiles
  readonly #folds: FoldsCase

  /** @param root the served root, closed by the caller */
  constructor(root: Handle, ownPaths: OwnPaths) {
    this.#root = root.duplicate()
    this.#serverFiles = new ServerFiles(ownPaths)
    this.#folds = new FoldsCase(this.#root)
  }

  [Symbol.dispose](): void {
    this.#root.close()
  }

  /** @throws system errors: ENOENT, ENOTDIR and ELOOP if there is no such folder, or a link is in its place */
  read(path: TreePath): FolderContents {
    using folder = this.#open(path, FOLDER_FLAGS)
    const version = versionOf(folder)
    const isSettled = Date.now() - version.changedMs > TIME_STEP_MS
    const records = recordsOf(folder)
    const { numbers } = records
    const isOwn = this.#serverFiles.listedIn(folder)
    const contents: FolderContents = {
      version: isSettled ? version : { ...version, modifiedMs: Number.NaN },
      foldsCase: this.#folds.appliesTo(folder),
      names: [],
      kinds: [],
      sizes: [],
      inodes: [],
    }
    for (const [index, name] of namesOf(records).entries()) {
      const first = index * STAT_FIELD_COUNT
      const ino = numbers[first + STAT_FIELDS.ino] ?? 0
      if (isReservedName(name) || isOwn(name, ino)) continue
      const kind = kindOf(numbers[first + STAT_FIELDS.mode] ?? 0)
      contents.names.push(name)
      contents.kinds.push(KINDS[kind] ?? 'other')
      contents.sizes.push(kind === 'file' ? (numbers[first + STAT_FIELDS.size] ?? 0) : 0)
      contents.inodes.push(ino)
    }
    return contents
  }

  /** @throws as `read` */
  version(path: TreePath): FolderVersion {
    using folder = this.#open(path, O_FOLDER)
    return versionOf(folder)
  }

  #open(path: TreePath, flags: number): Handle {
    const names = segmentsOf(path)
    if (names.length === 0) return this.#root.reopen(flags)
    try {
      return this.#root.openBelow(names.join('/'), flags | O_CLOEXEC, 'mounts')
    } catch (error) {
      if (!['ENOSYS', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
    }
    let folder = this.#root.duplicate()
    for (const [index, name] of names.entries()) {
      using above = folder
      const isLast = index === names.length - 1
      folder = above.child(name, (isLast ? flags : O_FOLDER) | O_DIRECTORY)
    }
    return folder
  }
}

function versionOf(folder: Handle): FolderVersion {
  const { ino, mtimeMs, ctimeMs } = folder.stat()
  return { ino, modifiedMs: mtimeMs, changedMs: ctimeMs }
}

function recordsOf(folder: Handle): FolderRecords {
  const { fd, diskText } = folder
  const records = (fd >= 0 ? readFolder(fd) : undefined) ?? listOneByOne(diskText, [])
  folder.requireUnmoved()
  return records
}

/** All other kinds are `other`. `kindOf` does not follow links, so each link has the kind `danglingLink`. */
const KINDS: Partial<Record<ReturnType<typeof kindOf>, 'folder' | 'link'>> = {
  folder: 'folder',
  danglingLink: 'link',
}
