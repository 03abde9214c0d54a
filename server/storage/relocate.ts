/**
 * Copying a tree to another file system for a move: the copy is complete, kind for kind and byte for
 * byte, or there is none. Links stay links, pipes and devices stay what they are, names keep their
 * bytes, a file with two names stays one file.
 */
import { ptr } from 'bun:ffi'
import {
  type BigIntStats,
  linkSync,
  lutimesSync,
  promises,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { cName, failure, libc } from '#server/os/libc.ts'
import { Fault } from '#wire/fault.ts'
import { type Staged, statsAt } from './atomic.ts'
import { copyWhole } from './copy-file.ts'
import { finishFolder, newFolder, removeOthers, resumedFolder } from './copy-tree.ts'
import { type DiskPath, diskPath, type Handle, type Identity, identityOf } from './handle.ts'
import { FOLDER_FLAGS } from './local-resolve.ts'
import type { ResumedCopy } from './resumed-copy.ts'
import { mustHaveSameBytes } from './same-bytes.ts'
import { type Contents, survey } from './survey.ts'

const ALL_BITS = 0o7777
/** Without the owner, nobody else's file runs with this server's rights. */
const BITS_WITHOUT_OWNER = 0o1777

/**
 * Copies what is out of sight at `source` to the staged name on another file system, and forces it to
 * the disk.
 *
 * @throws Fault unsupported (the other file system cannot hold all of it), conflict (it changed
 *   meanwhile), locked, forbidden; system errors. What was copied until then stays for the caller to
 *   remove.
 */
export async function relocate(
  source: Staged,
  to: Staged,
  flushes: FlushQueue,
  resumed?: ResumedCopy,
): Promise<void> {
  const before = await survey(source)
  await new Relocation(flushes, resumed).entry(source, to)
  const [after, copy] = [await survey(source), await survey(to)]
  if (before.fingerprint !== after.fingerprint) {
    throw new Fault('conflict', 'The files were changed while they were moved. Try again.')
  }
  if (!sameContents(after.contents, copy.contents)) throw cannotHold()
}

/**
 * The same of what is still in sight, and may change: most of the work is done before it is out of sight, and a
 * `relocate` with the same copy finds what has changed.
 *
 * @throws as `relocate`, and what stops the copy
 */
export async function relocateAhead(
  source: Staged,
  to: Staged,
  flushes: FlushQueue,
  resumed: ResumedCopy,
): Promise<void> {
  await new Relocation(flushes, resumed).entry(source, to)
  resumed.again()
}

class Relocation {
  readonly #resumed: ResumedCopy | undefined
  /** Files with several names: where the first of them was copied to. */
  readonly #copies = new Map<Identity, DiskPath>()
  readonly #keepsOwner = process.getuid?.() === 0
  readonly #flushes: FlushQueue

  constructor(flushes: FlushQueue, resumed: ResumedCopy | undefined) {
    this.#flushes = flushes
    this.#resumed = resumed
  }

  async entry(from: Staged, to: Staged): Promise<void> {
    const stats = statsAt(from)
    if (!stats) return
    if (stats.isDirectory()) await this.#folder(from, to, stats)
    else if (stats.isFile()) await this.#file(from, to, stats)
    else await this.#other(from, to, stats)
  }

  async #folder(from: Staged, to: Staged, stats: BigIntStats): Promise<void> {
    using source = from.parent.child(from.name, FOLDER_FLAGS)
    using copy = this.#resumed ? resumedFolder(to) : newFolder(to)
    const names = source.names()
    if (this.#resumed) removeOthers(copy, names)
    for (const name of names) {
      await this.entry({ parent: source, name }, { parent: copy, name })
    }
    await this.#giveOwner(to.parent.at(to.name), stats)
    const attributes = { mode: this.#bits(stats), modifiedMs: Number(stats.mtimeMs) }
    await finishFolder(copy, source, attributes, this.#flushes)
  }

  async #file(from: Staged, to: Staged, stats: BigIntStats): Promise<void> {
    const path = to.parent.at(to.name)
    const first = this.#copies.get(identityOf(stats))
    if (first) {
      this.#clear(path)
      return linkSync(first, path)
    }
    using source = from.parent.child(from.name, O_PATH)
    const attributes = {
      mode: this.#bits(stats),
      modifiedMs: source.stat().mtimeMs,
      owner: source.stat(),
    }
    if (this.#resumed) await this.#resumed.file(source, to, attributes, true)
    else {
      await copyWhole(source, path, attributes, this.#flushes)
      await mustHaveSameBytes(source, path)
    }
    if (stats.nlink > 1n) {
      this.#copies.set(identityOf(stats), diskPath(`${to.parent.realPath()}/${to.name}`))
    }
  }

  /** A link, a pipe, a socket, a device. */
  async #other(from: Staged, to: Staged, stats: BigIntStats): Promise<void> {
    const path = to.parent.at(to.name)
    this.#clear(path)
    try {
      if (stats.isSymbolicLink()) {
        symlinkSync(readlinkSync(from.parent.at(from.name), { encoding: 'buffer' }), path)
        lutimesSync(path, Date.now() / 1000, Number(stats.mtimeMs) / 1000)
      } else {
        makeNode(to.parent, to.name, stats)
      }
      await this.#giveOwner(path, stats)
    } catch (error) {
      if (['EPERM', 'EOPNOTSUPP', 'ENOSYS'].includes(errnoOf(error) ?? '')) throw cannotHold()
      throw error
    }
  }

  /** What an earlier call has left under a name goes. */
  #clear(path: DiskPath): void {
    if (this.#resumed) rmSync(path, { recursive: true, force: true })
  }

  async #giveOwner(path: DiskPath, { uid, gid }: BigIntStats): Promise<void> {
    if (this.#keepsOwner) await promises.lchown(path, Number(uid), Number(gid))
  }

  #bits({ mode }: BigIntStats): number {
    return Number(mode) & (this.#keepsOwner ? ALL_BITS : BITS_WITHOUT_OWNER)
  }
}

/** mknod(2). @throws SystemError EPERM for a device, without the right to make one */
function makeNode(folder: Handle, name: string, { mode, rdev }: BigIntStats): void {
  const path = cName(`${folder.disk}/${name}`)
  const result = libc ? libc.mknod(ptr(path), Number(mode), rdev) : -1
  if (result !== 0) throw failure('mknod')
}

function sameContents(a: Contents, b: Contents): boolean {
  return (
    a.files === b.files && a.folders === b.folders && a.others === b.others && a.bytes === b.bytes
  )
}

function cannotHold(): Fault {
  return new Fault('unsupported', 'The other file system cannot hold everything that is in here.')
}
