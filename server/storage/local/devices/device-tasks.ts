/** What the thread of one file system does: it opens, describes and reads, and never changes anything. */

import { closeSync, openSync, readSync, statfsSync } from 'node:fs'
import type { NameTerms } from '#server/lib/name-terms.ts'
import { O_PATH } from '#server/os/flags.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { segmentsOf, type TreePath } from '#wire/paths.ts'
import { isPrivateName, isReservedName } from '#wire/reserved-names.ts'
import { ConfinedFolder, type InnerFolder } from '../confine/confined-folder.ts'
import { FoldsCase } from '../confine/folds-case.ts'
import { NameAliases } from '../confine/name-aliases.ts'
import { REFUSE_LINKS } from '../confine/real-path.ts'
import { type OwnPaths, ServerFiles } from '../confine/server-files.ts'
import { DescriptorHandle } from '../handles/descriptor.ts'
import { type Handle, rootPathOf } from '../handles/handle.ts'
import { belowRoot, kindOf } from '../handles/node-of-stats.ts'
import { FOLLOW_LINKS, openInside, READ_FLAGS } from '../handles/resolve.ts'
import { linkNodeAt } from '../operations/folder-contents.ts'
import {
  type FolderRecords,
  namesOf,
  type PeekRequest,
  type PeekResult,
  STAT_FIELD_COUNT,
  STAT_FIELDS,
} from '../read/folder-records.ts'
import { listFolder, readFileStarts } from '../read/list-folder.ts'

/** The served root, open as long as the threads. */
export interface DeviceRoot {
  root: number
  ownPaths: OwnPaths
}

/** A path in a view of the tree, as a message can contain it. */
export interface ViewPath {
  folders: readonly InnerFolder[]
  followsLinks: boolean
  path: TreePath
}

/** The arguments of a `PathCheck`, which the thread cannot call. */
export type Check = Parameters<(real: TreePath, foldsCase: boolean) => void>

/** A folder's entries, and what a listing shows of them. */
export interface ListedFolder {
  records: FolderRecords
  real: TreePath
  foldsCase: boolean
  /** The positions of entries that belong to the server. */
  own: number[]
  /** The positions of names that are reserved for snapshots. */
  reserved: number[]
  links: ListedLink[]
}

export interface ListedLink {
  position: number
  /** As of `linkNodeAt`. */
  node: Node | 'outside' | undefined
  /** If one throws, the link is not listed. */
  checks: Check[]
}

export class DeviceTasks {
  readonly #root: Handle
  readonly #serverFiles: ServerFiles
  readonly #folds: FoldsCase
  readonly #aliases = new NameAliases()
  readonly #rootPath: () => string
  /** Receives the access checks that the caller must make before it uses the result. */
  #checks: Check[] = []

  constructor({ root, ownPaths }: DeviceRoot) {
    this.#root = new DescriptorHandle(root)
    this.#serverFiles = new ServerFiles(ownPaths)
    this.#folds = new FoldsCase(this.#root)
    this.#rootPath = rootPathOf(this.#root)
  }

  /** @returns the access checks since the last call, in their order */
  takeChecks(): Check[] {
    const checks = this.#checks
    this.#checks = []
    return checks
  }

  /** Asks the file system of a path below the root. Errors are answers too. */
  answer(path: TreePath): void {
    try {
      using object = openInside(this.#root, segmentsOf(path), O_PATH)
      statfsSync(object.disk)
    } catch {
      // The path does not exist, or may not be opened.
    }
  }

  node(at: ViewPath): Node {
    using confined = this.#confined(at)
    return confined.node(at.path)
  }

  /** @returns the path of a folder below the served root, with links resolved */
  folderPath(at: ViewPath): TreePath {
    using confined = this.#confined(at)
    using folder = confined.openFolder(at.path)
    return belowRoot(this.#root.realPath(), folder.handle.realPath())
  }

  /** Opens a file; the caller closes the descriptor with `close`. */
  read(at: ViewPath): { node: Node; fd: number } {
    using confined = this.#confined(at)
    const { object, node } = confined.openNode(at.path)
    using _ = object
    if (node.kind === 'folder') throw new Fault('isDirectory', 'This is a folder.')
    if (node.kind !== 'file') throw new Fault('unsupported', 'This is not a regular file.')
    return { node, fd: openSync(object.disk, READ_FLAGS) }
  }

  /** @param mounts names of mount points in the folder */
  list(
    at: ViewPath,
    { names, mounts }: { names: NameTerms | undefined; mounts: readonly string[] },
  ): ListedFolder {
    using confined = this.#confined(at)
    using folder = confined.openFolder(at.path)
    const { handle, path, real, foldsCase } = folder
    const records = listFolder(handle.diskText, { names, mounts })
    const isOwn = this.#serverFiles.listedIn(handle)
    const ofFolder = this.takeChecks()
    const [own, reserved, links]: [number[], number[], ListedLink[]] = [[], [], []]
    for (const [position, name] of namesOf(records).entries()) {
      const first = position * STAT_FIELD_COUNT
      const [mode = 0, ino = 0] = [
        records.numbers[first + STAT_FIELDS.mode],
        records.numbers[first + STAT_FIELDS.ino],
      ]
      if (isPrivateName(name) || isOwn(name, ino)) own.push(position)
      else if (isReservedName(name)) reserved.push(position)
      else if (kindOf(mode) === 'danglingLink') {
        const node = linkNodeAt(confined, `${path === '/' ? '' : path}/${name}` as TreePath)
        links.push({ position, node, checks: this.takeChecks() })
      }
    }
    this.#checks = ofFolder
    return { records, real, foldsCase, own, reserved, links }
  }

  starts(at: ViewPath, requested: PeekRequest): PeekResult {
    using confined = this.#confined(at)
    using folder = confined.openFolder(at.path)
    return readFileStarts({ fd: folder.handle.fd, disk: folder.handle.diskText }, requested)
  }

  /** @returns fewer bytes only at the end of the file */
  bytes(fd: number, position: number, length: number): Uint8Array<ArrayBuffer> {
    const buffer = new Uint8Array(length)
    return buffer.subarray(0, readSync(fd, buffer, 0, length, position))
  }

  close(fd: number): void {
    closeSync(fd)
  }

  #confined({ folders, followsLinks }: ViewPath): ConfinedFolder {
    return ConfinedFolder.open(this.#root, folders, {
      rootPath: this.#rootPath,
      serverFiles: this.#serverFiles,
      folds: this.#folds,
      aliases: this.#aliases,
      checkPath: (...check) => void this.#checks.push(check),
      resolver: followsLinks ? FOLLOW_LINKS : REFUSE_LINKS,
    })
  }
}
