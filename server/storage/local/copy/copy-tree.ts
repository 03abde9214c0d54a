/**
 * Copies a tree to a staged name. All entries are opened by handles, so that a link that replaces an entry is
 * not followed.
 */

import { constants, readlinkSync, type Stats, symlinkSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_DIRECTORY, O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { rmSync } from '#server/os/remove.ts'
import type { LeftOutReason } from '#server/storage/node.ts'
import { isPrivateName, isReservedName } from '#wire/reserved-names.ts'
import { type Inherited, inheritedIn } from '../attributes/inherited-access.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import type { Handle, Identity } from '../handles/handle.ts'
import { isReadable } from '../handles/is-readable.ts'
import { refuseTooDeep } from '../handles/tree-depth.ts'
import type { DiskReserve } from '../room/disk-reserve.ts'
import { copyWhole } from './copy-file.ts'
import { copyFolder, finishFolder } from './copy-folder.ts'
import { CopyPool, NO_TASK, type StartedTask } from './copy-pool.ts'
import { entryError, entryPath, type TreeEntry } from './entry-error.ts'
import type { ResumedCopy } from './resumed-copy.ts'

/** Mode bits that a copy keeps. The set-user-id and set-group-id bits are dropped. */
const COPIED_FILE_BITS = 0o777
const COPIED_FOLDER_BITS = 0o1777

/** The source of a copied entry: an open object, or the target text of a link that is copied as a link. */
export type CopySource = { object: Handle; isLink: boolean } | { text: Buffer }

/** Where the entries of a copy will be published. */
export interface CopyTarget {
  /** What they take over from that folder. */
  inherited: Inherited | undefined
  /** That folder, if it exists already: a copied folder is then merged into the folder of its name. */
  existing: Handle | undefined
}

/** Opens `name` in a folder; undefined if the copy leaves it out. */
export type OpenChild = (folder: Handle, name: string) => CopySource | undefined

export interface CopyOptions {
  /** The name that the copy will get. Files and folders take over the group and the access list of their folder. */
  target: Slot
  flushes: FlushQueue
  /** What the copy leaves free on the disk. */
  reserve: DiskReserve
  /** If given, the result of an earlier call is continued, and the result of this call is kept if it stops. */
  resumed?: ResumedCopy
  /** Called for a name in a folder that the copy leaves out. */
  leftOut?(folder: Handle, name: string, reason: LeftOutReason): void
}

/** An entry of a copy. */
interface CopyEntry {
  /** In the tree; empty for the tree itself. */
  path: string
  staged: Slot
  /** The name that it will get. */
  name: string
  into: CopyTarget
}

/**
 * Copies the tree at `source` to the staged name with times, permission bits and extended attributes, and flushes it.
 * Links are followed; each folder behind links is copied once, and never into itself. All other links are copied as
 * links. Pipes, sockets, devices and snapshots are left out.
 *
 * @throws system errors; the caller removes the partial copy
 */
export async function copyTree(
  source: Handle,
  staged: Slot,
  openChild: OpenChild,
  { target, flushes, reserve, resumed, leftOut }: CopyOptions,
): Promise<void> {
  using pool = new CopyPool(flushes, staged.parent, reserve)
  const into = { inherited: inheritedIn(target.parent), existing: target.parent }
  try {
    const copy = new TreeCopy(openChild, pool, resumed, leftOut)
    await copy.node(source.reopen(O_PATH), { path: '', staged, name: target.name, into }, [])
  } finally {
    await pool.ended()
  }
  pool.throwIfFailed()
}

class TreeCopy {
  readonly #openChild: OpenChild
  readonly #pool: CopyPool
  readonly #resumed: ResumedCopy | undefined
  readonly #leftOut: CopyOptions['leftOut']
  /** Folders that were copied through a link; each is copied so only once. */
  readonly #entered = new Set<Identity>()

  constructor(
    openChild: OpenChild,
    pool: CopyPool,
    resumed: ResumedCopy | undefined,
    leftOut: CopyOptions['leftOut'],
  ) {
    this.#openChild = openChild
    this.#pool = pool
    this.#resumed = resumed
    this.#leftOut = leftOut
  }

  /**
   * Starts to copy a file or folder; other kinds are left out.
   *
   * @param source closed when it is copied
   * @param ancestors the folders from the top of the tree down to the parent of `source`
   */
  async node(source: Handle, to: CopyEntry, ancestors: readonly Identity[]): Promise<StartedTask> {
    const stats = source.stat()
    if (stats.isFile()) return this.#file(source, to, stats)
    using folder = source
    return stats.isDirectory() ? await this.#folder(folder, to, ancestors) : NO_TASK
  }

  #file(source: Handle, to: CopyEntry, stats: Stats): Promise<StartedTask> {
    const exists = () => source.stat().nlink > 0
    return this.#pool.begin(stats.size, [source], () =>
      this.#naming({ path: to.path, exists, to: to.staged }, () =>
        this.#copyFile(source, to, stats),
      ),
    )
  }

  #copyFile(
    source: Handle,
    { staged, into: { inherited } }: CopyEntry,
    { mode, mtimeMs, size }: Stats,
  ): Promise<void> {
    const attributes = { mode: mode & COPIED_FILE_BITS, modifiedMs: mtimeMs, inherited }
    const flushes = this.#pool
    if (this.#resumed) {
      return this.#resumed.file(source, staged, attributes, { compare: false, flushes })
    }
    const path = staged.parent.at(staged.name)
    return copyWhole(source, path, attributes, flushes, flushes.watch(size))
  }

  async #naming<T>(entry: TreeEntry, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw entryError(error, entry)
    }
  }

  async #folder(
    source: Handle,
    { path, staged, name, into }: CopyEntry,
    ancestors: readonly Identity[],
  ): Promise<StartedTask> {
    const identity = source.identity()
    refuseTooDeep(ancestors.length)
    const readable = source.reopen(constants.O_RDONLY | O_DIRECTORY)
    const childAncestors = [...ancestors, identity]
    const existing = into.existing && folderAt(into.existing, name)
    const { inherited } = into
    let childInto: CopyTarget | undefined
    return copyFolder(readable, staged, {
      pool: this.#pool,
      isResumed: this.#resumed !== undefined,
      inherited,
      ...(existing && { existing }),
      child: async (name, copy) => {
        childInto ??= { inherited: inheritedIn(existing ?? copy), existing }
        const to = {
          path: entryPath(path, name),
          staged: { parent: copy, name },
          name,
          into: childInto,
        }
        const exists = () => lstatAt({ parent: readable, name }) !== undefined
        return this.#naming({ path: to.path, exists, to: to.staged }, () =>
          this.#child(readable, to, childAncestors),
        )
      },
      finish: (copy) => {
        const { mode, mtimeMs } = readable.stat()
        const attributes = { mode: mode & COPIED_FOLDER_BITS, modifiedMs: mtimeMs, inherited }
        return finishFolder(copy, readable, attributes, this.#pool)
      },
    })
  }

  async #child(from: Handle, to: CopyEntry, ancestors: readonly Identity[]): Promise<StartedTask> {
    const { name } = to.staged
    if (isPrivateName(name)) return NO_TASK
    if (isReservedName(name)) return this.#leaveOut(to, from, 'reserved')
    const child = this.#openChild(from, name)
    if (!child) {
      // An entry that is not a link was removed during the copy or belongs to the server, and is not reported.
      const isLink = lstatAt({ parent: from, name })?.isSymbolicLink()
      return isLink ? this.#leaveOut(to, from, 'link') : NO_TASK
    }
    if ('text' in child) return this.#link(child.text, to, from)
    const { object, isLink } = child
    const reason = reasonToLeaveOut(object)
    if (!reason && (!isLink || this.#mayEnter(object, ancestors))) {
      return this.node(object, to, ancestors)
    }
    object.close()
    return reason ? this.#leaveOut(to, from, reason) : this.#link(linkTextAt(from, name), to, from)
  }

  /** Copies a link as a link, if the file system can hold one. */
  #link(text: Buffer, to: CopyEntry, from: Handle): StartedTask {
    const path = to.staged.parent.at(to.staged.name)
    if (this.#resumed) rmSync(path, { recursive: true, force: true })
    try {
      symlinkSync(text, path)
    } catch (error) {
      if (!NO_LINKS.includes(errnoOf(error) ?? '')) throw error
      return this.#leaveOut(to, from, 'link')
    }
    return NO_TASK
  }

  #leaveOut({ name }: CopyEntry, from: Handle, reason: LeftOutReason): StartedTask {
    this.#leftOut?.(from, name, reason)
    return NO_TASK
  }

  /** Whether the target of a link is copied: always for a file, and once for a folder that does not contain the link. */
  #mayEnter(object: Handle, ancestors: readonly Identity[]): boolean {
    if (!object.stat().isDirectory()) return true
    const identity = object.identity()
    if (this.#entered.has(identity) || ancestors.includes(identity)) return false
    this.#entered.add(identity)
    return true
  }
}

/** The target of a link as it is stored. @throws system errors */
export function linkTextAt(folder: Handle, name: string): Buffer {
  return readlinkSync(folder.at(name), { encoding: 'buffer' })
}

/** The errors of symlink(2) on a file system without links. */
const NO_LINKS = ['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS', 'EINVAL']

function reasonToLeaveOut(object: Handle): LeftOutReason | undefined {
  const stats = object.stat()
  if (!stats.isDirectory() && !stats.isFile()) return 'special'
  return isReadable(object, stats) ? undefined : 'unreadable'
}

/** @returns the folder of a name; undefined if there is none, or it cannot be opened */
function folderAt(parent: Handle, name: string): Handle | undefined {
  try {
    return parent.child(name, O_FOLDER)
  } catch {
    return undefined
  }
}
