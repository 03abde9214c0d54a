/**
 * Copies a tree to another file system for a move. The copy is complete and exact, or fails: links stay links,
 * special files keep their type, names keep their bytes, and a file with two names stays one file.
 */
import { ptr } from 'bun:ffi'
import { type BigIntStats, linkSync, readlinkSync, symlinkSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { O_PATH } from '#server/os/flags.ts'
import { cPath, lastError, libc } from '#server/os/libc.ts'
import { sharesLocks } from '#server/os/local-file-system.ts'
import { rmSync } from '#server/os/remove.ts'
import { setModifiedAt } from '#server/os/set-modified.ts'
import { Fault } from '#wire/fault.ts'
import { isFull } from '../attributes/own-folder.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import {
  type DiskPath,
  diskPath,
  type Handle,
  type Identity,
  identityOf,
} from '../handles/handle.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import { BITS_WITHOUT_OWNER, copyWhole, keepsOwner, MODE_BITS } from './copy-file.ts'
import { copyFolder, finishFolder } from './copy-folder.ts'
import { CopyPool, NO_TASK, type StartedTask } from './copy-pool.ts'
import { entryError, entryPath, inEntry } from './entry-error.ts'
import type { ResumedCopy } from './resumed-copy.ts'
import { mustHaveSameBytes } from './same-bytes.ts'
import { type Contents, type Survey, survey } from './survey.ts'

/**
 * Copies the tree at `source` to the staged name, and flushes the copy.
 *
 * @param source hidden, or compared again by `requireUnchanged` before it is removed
 * @param resumed if given, the result of an earlier call is continued
 * @returns the state of the source when it was copied
 * @throws Fault unsupported (the other file system cannot store all of the tree), conflict (the tree changed
 *   during the copy), locked (a mount in the tree), forbidden (files of a server in it); system errors. The caller
 *   removes the partial copy.
 */
export async function relocate(
  source: Slot,
  to: Slot,
  flushes: FlushQueue,
  resumed?: ResumedCopy,
): Promise<Survey> {
  const before = await survey(source)
  await relocateTree(source, to, flushes, resumed)
  const [after, copy] = [await survey(source), await survey(to)]
  if (before.fingerprint !== after.fingerprint) throw changedSinceCheck()
  if (!sameContents(after.contents, copy.contents)) throw cannotStoreAll()
  return after
}

/**
 * Refuses to remove the original of a copy that has changed since.
 *
 * @param copied the result of `relocate`
 * @throws Fault conflict
 */
export async function requireUnchanged(source: Slot, copied: Survey): Promise<void> {
  if ((await survey(source)).fingerprint !== copied.fingerprint) throw changedSinceCheck()
}

/**
 * Copies a tree that is still visible and may change. Most of the work is done before the tree is hidden; the
 * following `relocate` copies only what has changed.
 *
 * @throws as `relocate`, and what the callbacks of `Resumable` throw to stop the copy
 */
export async function relocateAhead(
  source: Slot,
  to: Slot,
  flushes: FlushQueue,
  resumed: ResumedCopy,
): Promise<void> {
  await relocateTree(source, to, flushes, resumed)
  resumed.startSecondPass()
}

async function relocateTree(
  source: Slot,
  to: Slot,
  flushes: FlushQueue,
  resumed: ResumedCopy | undefined,
): Promise<void> {
  using pool = new CopyPool(flushes, to.parent)
  try {
    await new Relocation(pool, resumed).entry({ path: '', from: source, to })
  } finally {
    await pool.ended()
  }
  pool.throwIfFailed()
}

interface Entry {
  /** In the tree; empty for the tree itself. */
  path: string
  from: Slot
  to: Slot
}

class Relocation {
  readonly #resumed: ResumedCopy | undefined
  /** For files with several names. Key: the file; value: the path of its copy under the first of these names. */
  readonly #copies = new Map<Identity, DiskPath>()
  /** Only root may give files to another owner. */
  readonly #keepsOwner = process.getuid?.() === 0
  readonly #pool: CopyPool

  constructor(pool: CopyPool, resumed: ResumedCopy | undefined) {
    this.#pool = pool
    this.#resumed = resumed
  }

  /** Starts to copy an entry of any kind. */
  async entry(entry: Entry): Promise<StartedTask> {
    try {
      const stats = lstatAt(entry.from)
      if (stats?.isDirectory()) return await this.#folder(entry, stats)
      if (stats?.isFile()) return await this.#file(entry, stats)
      if (stats) await this.#other(entry, stats)
      return NO_TASK
    } catch (error) {
      throw entryErrorOf(error, entry)
    }
  }

  #folder({ path, from, to }: Entry, stats: BigIntStats): Promise<StartedTask> {
    const source = from.parent.child(from.name, FOLDER_FLAGS)
    return copyFolder(source, to, {
      pool: this.#pool,
      isResumed: this.#resumed !== undefined,
      child: (name, copy) =>
        this.entry({
          path: entryPath(path, name),
          from: { parent: source, name },
          to: { parent: copy, name },
        }),
      finish: async (copy) => {
        const isOwned = await this.#setOwner(to.parent.at(to.name), stats)
        const mode = this.#modeOf(stats) & (isOwned ? MODE_BITS : BITS_WITHOUT_OWNER)
        const attributes = { mode, modifiedMs: Number(stats.mtimeMs) }
        await finishFolder(copy, source, attributes, this.#pool)
      },
    })
  }

  async #file(entry: Entry, stats: BigIntStats): Promise<StartedTask> {
    const { from, to } = entry
    const path = to.parent.at(to.name)
    const first = this.#copies.get(identityOf(stats))
    if (first) {
      this.#clear(path)
      storeOrRefuse(entry.path, () => linkSync(first, path))
      return NO_TASK
    }
    const source = from.parent.child(from.name, O_PATH)
    const task = await this.#pool.begin(Number(stats.size), [source], async () => {
      try {
        await this.#copyFile(source, to, stats)
      } catch (error) {
        throw entryErrorOf(error, entry)
      }
    })
    if (stats.nlink > 1n) {
      // For each further name a hard link to this copy is made, so the copy must be complete.
      await task.completed
      this.#copies.set(identityOf(stats), diskPath(`${to.parent.realPath()}/${to.name}`))
    }
    return task
  }

  async #copyFile(source: Handle, to: Slot, stats: BigIntStats): Promise<void> {
    const flushes = this.#pool
    const { uid, gid, mtimeMs } = source.stat()
    const owner = { uid, gid, mayBeLost: true }
    const attributes = { mode: this.#modeOf(stats), modifiedMs: mtimeMs, owner }
    if (this.#resumed) {
      return this.#resumed.file(source, to, attributes, { compare: true, flushes })
    }
    const path = to.parent.at(to.name)
    await copyWhole(source, path, attributes, flushes)
    await mustHaveSameBytes(source, path)
  }

  /** Copies a link, a pipe, a socket or a device. */
  async #other({ path: entry, from, to }: Entry, stats: BigIntStats): Promise<void> {
    const path = to.parent.at(to.name)
    this.#clear(path)
    const target = stats.isSymbolicLink()
      ? readlinkSync(from.parent.at(from.name), { encoding: 'buffer' })
      : undefined
    storeOrRefuse(entry, () => {
      if (target) symlinkSync(target, path)
      else makeNode(to.parent, to.name, stats)
    })
    // Remote file systems follow the link, and would change what it leads to, which may also be missing.
    if (target && !sharesLocks(to.parent.disk)) return
    setModifiedAt(path, Number(stats.mtimeMs))
    await this.#setOwner(path, stats)
  }

  /** Removes what an earlier call has left under a name. */
  #clear(path: DiskPath): void {
    if (this.#resumed) rmSync(path, { recursive: true, force: true })
  }

  async #setOwner(path: DiskPath, { uid, gid }: BigIntStats): Promise<boolean> {
    if (!this.#keepsOwner) return false
    return keepsOwner(() => fileCalls.lchown(path, Number(uid), Number(gid)))
  }

  #modeOf({ mode }: BigIntStats): number {
    return Number(mode) & (this.#keepsOwner ? MODE_BITS : BITS_WITHOUT_OWNER)
  }
}

function entryErrorOf(error: unknown, { path, from, to }: Entry): unknown {
  return entryError(error, { path, exists: () => lstatAt(from) !== undefined, to })
}

/**
 * Creates a pipe, a socket or a device (mknod(2)).
 *
 * @throws SystemError EPERM for a device, without the right to create one
 */
function makeNode(folder: Handle, name: string, { mode, rdev }: BigIntStats): void {
  const path = cPath(folder.at(name))
  const result = libc ? libc.mknod(ptr(path), Number(mode), rdev) : -1
  if (result !== 0) throw lastError('mknod')
}

function sameContents(a: Contents, b: Contents): boolean {
  return (
    a.files === b.files &&
    a.folders === b.folders &&
    a.otherKinds === b.otherKinds &&
    a.bytes === b.bytes
  )
}

/** For a source that is not any more as it was copied or checked. */
export function changedSinceCheck(): Fault {
  return new Fault('conflict', 'The files were changed while they were moved. Try again.', {
    reason: 'changedMeanwhile',
  })
}

/**
 * Creates a link or a special file. File systems that do not have them refuse them with many numbers.
 *
 * @throws Fault unsupported; ENOSPC, EDQUOT
 */
function storeOrRefuse(path: string, create: () => void): void {
  try {
    create()
  } catch (error) {
    throw isFull(error) ? error : cannotStore(path)
  }
}

function cannotStore(path: string): Fault {
  if (path === '') return cannotStoreAll()
  const message = 'The other file system cannot store this. Move the other files separately.'
  return inEntry(new Fault('unsupported', message), path)
}

function cannotStoreAll(): Fault {
  return new Fault(
    'unsupported',
    'The other file system cannot store all of these files. Move them separately.',
  )
}
