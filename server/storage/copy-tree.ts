/**
 * Copies a tree to a staged name. All entries are opened by handles, so that a link that replaces an entry is
 * not followed.
 */
import { chmodSync, constants, mkdirSync, promises, rmSync, type Stats, symlinkSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { O_PATH } from '#server/os/flags.ts'
import { lstatAt, type Slot } from './atomic.ts'
import { copyAttributes } from './attributes.ts'
import { copyWhole } from './copy-file.ts'
import { CopyPool, type FileFlusher, NO_TASK, PendingTasks, type StartedTask } from './copy-pool.ts'
import type { Handle, Identity } from './handle.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-name.ts'
import type { ResumedCopy } from './resumed-copy.ts'
import { refuseTooDeep } from './tree-depth.ts'

/** Mode bits that a copy keeps. The set-user-id and set-group-id bits are dropped. */
const COPIED_FILE_BITS = 0o777
const COPIED_FOLDER_BITS = 0o1777

/** The source of a copied entry: an open object, or the target text of a dangling link. */
export type CopySource = { object: Handle; isLink: boolean } | { text: Buffer }

/** Opens `name` in a folder; undefined if the copy leaves it out. */
export type OpenChild = (folder: Handle, name: string) => CopySource | undefined

/**
 * Copies the tree at `source` to the staged name with times, permission bits and extended attributes, and flushes it.
 * Links are followed; each folder behind links is copied once, and never into itself. A dangling link is copied as a
 * link. Pipes, sockets and devices are left out.
 *
 * @param resumed if given, the result of an earlier call is continued, and the result of this call is kept if it stops
 * @throws system errors; the caller removes the partial copy
 */
export async function copyTree(
  source: Handle,
  staged: Slot,
  openChild: OpenChild,
  flushes: FlushQueue,
  resumed?: ResumedCopy,
): Promise<void> {
  using pool = new CopyPool(flushes, staged.parent)
  try {
    await new TreeCopy(openChild, pool, resumed).node(source.reopen(O_PATH), staged, [])
  } finally {
    await pool.ended()
  }
  pool.throwIfFailed()
}

class TreeCopy {
  readonly #openChild: OpenChild
  readonly #pool: CopyPool
  readonly #resumed: ResumedCopy | undefined
  /** Folders that were copied through a link; each is copied so only once. */
  readonly #entered = new Set<Identity>()

  constructor(openChild: OpenChild, pool: CopyPool, resumed: ResumedCopy | undefined) {
    this.#openChild = openChild
    this.#pool = pool
    this.#resumed = resumed
  }

  /**
   * Starts to copy a file or folder; other kinds are left out.
   *
   * @param source closed when it is copied
   * @param ancestors the folders from the top of the tree down to the parent of `source`
   */
  async node(source: Handle, to: Slot, ancestors: readonly Identity[]): Promise<StartedTask> {
    const stats = source.stat()
    if (stats.isFile()) return this.#file(source, to, stats)
    using folder = source
    return stats.isDirectory() ? await this.#folder(folder, to, ancestors) : NO_TASK
  }

  #file(source: Handle, to: Slot, { mode, mtimeMs, size }: Stats): Promise<StartedTask> {
    const attributes = { mode: mode & COPIED_FILE_BITS, modifiedMs: mtimeMs }
    const flushes = this.#pool
    return this.#pool.begin(size, [source], () =>
      this.#resumed
        ? this.#resumed.file(source, to, attributes, { compare: false, flushes })
        : copyWhole(source, to.parent.at(to.name), attributes, flushes),
    )
  }

  async #folder(source: Handle, to: Slot, ancestors: readonly Identity[]): Promise<StartedTask> {
    const identity = source.identity()
    if (ancestors.includes(identity)) return NO_TASK
    refuseTooDeep(ancestors.length)
    const readable = source.reopen(constants.O_RDONLY | constants.O_DIRECTORY)
    const childAncestors = [...ancestors, identity]
    return copyFolder(readable, to, {
      pool: this.#pool,
      isResumed: this.#resumed !== undefined,
      child: async (name, copy) => this.#child(readable, { parent: copy, name }, childAncestors),
      finish: (copy) => {
        const { mode, mtimeMs } = readable.stat()
        const attributes = { mode: mode & COPIED_FOLDER_BITS, modifiedMs: mtimeMs }
        return finishFolder(copy, readable, attributes, this.#pool)
      },
    })
  }

  async #child(from: Handle, to: Slot, ancestors: readonly Identity[]): Promise<StartedTask> {
    const { parent: copy, name } = to
    if (isPrivateName(name)) return NO_TASK
    const child = this.#openChild(from, name)
    if (!child) {
      // An entry that is not a link was removed during the copy or belongs to the server, and is not reported.
      const isLink = lstatAt({ parent: from, name })?.isSymbolicLink()
      if (isLink) this.#resumed?.leftOut(from, name)
      return NO_TASK
    }
    if ('text' in child) {
      if (this.#resumed) rmSync(copy.at(name), { recursive: true, force: true })
      symlinkSync(child.text, copy.at(name))
      return NO_TASK
    }
    const { object, isLink } = child
    const isSpecial = !object.stat().isDirectory() && !object.stat().isFile()
    if (isSpecial || (isLink && !this.#mayEnter(object))) {
      this.#resumed?.leftOut(from, name)
      object.close()
      return NO_TASK
    }
    return this.node(object, to, ancestors)
  }

  /** Whether the target of a link is copied: always for a file, and once for a folder. */
  #mayEnter(object: Handle): boolean {
    if (!object.stat().isDirectory()) return true
    const identity = object.identity()
    if (this.#entered.has(identity)) return false
    this.#entered.add(identity)
    return true
  }
}

/** How a folder is copied. */
export interface FolderCopy {
  pool: CopyPool
  /** Keeps the entries that an earlier call has copied. */
  isResumed: boolean
  /** Starts to copy an entry. */
  child(name: string, copy: Handle): Promise<StartedTask>
  /** Called when all entries are complete. */
  finish(copy: Handle): Promise<void>
}

/**
 * Starts to copy a folder. The task ends when all entries of the folder are copied; the next folder may start before.
 *
 * @param source closed at the end
 * @throws system errors, and what `child` throws; no task in the folder is running then
 */
export async function copyFolder(
  source: Handle,
  to: Slot,
  { pool, isResumed, child, finish }: FolderCopy,
): Promise<StartedTask> {
  const handles = [source]
  const contents = new PendingTasks()
  try {
    const copy = isResumed ? resumedFolder(to) : newFolder(to)
    handles.push(copy)
    const names = source.names()
    if (isResumed) removeExtraEntries(copy, names)
    for (const name of names) contents.add(await child(name, copy))
    return await pool.begin(0, handles.splice(0), async () => {
      await pool.whileIdle(() => contents.ended())
      pool.throwIfFailed()
      await finish(copy)
    })
  } catch (error) {
    // No folder is closed while a copy in it is running.
    await pool.ended()
    for (const handle of handles) handle.close()
    throw error
  }
}

/**
 * Creates the folder of a copy.
 *
 * @throws system errors
 */
function newFolder(to: Slot): Handle {
  mkdirSync(to.parent.at(to.name), 0o700)
  return to.parent.child(to.name, FOLDER_FLAGS)
}

/**
 * Opens the folder of a resumed copy, or creates it if it does not exist yet.
 *
 * @throws system errors
 */
function resumedFolder(to: Slot): Handle {
  const existing = lstatAt(to)
  if (!existing?.isDirectory()) {
    rmSync(to.parent.at(to.name), { force: true })
    return newFolder(to)
  }
  const folder = to.parent.child(to.name, FOLDER_FLAGS)
  chmodSync(folder.disk, 0o700)
  return folder
}

/** @param names of the original; all other entries are removed from the copy */
function removeExtraEntries(copy: Handle, names: readonly string[]): void {
  const keptNames = new Set(names)
  for (const name of copy.names()) {
    if (!keptNames.has(name)) rmSync(copy.at(name), { recursive: true, force: true })
  }
}

/** Gives a copied folder the attributes of the original, and flushes it. */
export async function finishFolder(
  copy: Handle,
  like: Handle,
  { mode, modifiedMs }: { mode: number; modifiedMs: number },
  flushes: FileFlusher,
): Promise<void> {
  copyAttributes(like.fd, copy.fd)
  const file = await promises.open(copy.disk, FOLDER_FLAGS)
  try {
    await file.chmod(mode)
    await file.utimes(Date.now() / 1000, modifiedMs / 1000)
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}
