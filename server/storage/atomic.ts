/**
 * Putting things in place in one step. New content is staged out of sight, forced to the disk, and
 * renamed; a reader, or a crash, meets the old file or the new one and nothing between.
 */
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
} from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { type NameIn, renameExchange, renameNoReplace } from '#server/os/rename.ts'
import { type Handle, identityOf } from './handle.ts'
import type { ByteStream } from './node.ts'

/** A name in an open folder that nobody else knows. */
export interface Staged {
  parent: Handle
  name: string
  /** Where the folder lay when somebody was asked about it. */
  where?: string
}

/** Where a file system lacks the call or the flag (some network ones). */
const LACKS_CALL = ['ENOSYS', 'EINVAL', 'EOPNOTSUPP']
/** Free names tried before something put back gets a name of its own. */
const TRIES = 1000

/** Frees some room on a full disk. @returns false when there is none to be freed */
export type MakeRoom = () => Promise<boolean>

/**
 * Writes new content to `staged` and leaves it there.
 *
 * @param makeRoom asked when the disk is full, as long as it frees anything
 * @throws whatever the source or the disk throws; nothing is left behind then
 */
export async function stage(
  from: ByteStream | Uint8Array,
  staged: Staged,
  makeRoom?: MakeRoom,
): Promise<void> {
  const path = staged.parent.at(staged.name)
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await withRoom(makeRoom, () => promises.open(path, flags, 0o600))
  try {
    if (from instanceof Uint8Array) await writeAll(file, from, makeRoom)
    else for await (const chunk of from) await writeAll(file, chunk, makeRoom)
    await file.close()
  } catch (error) {
    await file.close().catch(() => undefined)
    rmSync(path, { force: true })
    throw error
  }
}

/**
 * Renames only if the new name is free.
 *
 * @throws SystemError EEXIST when it is taken; EXDEV
 */
export function takeName(from: Staged, to: Staged): void {
  try {
    renameNoReplace(nameIn(from), nameIn(to))
  } catch (error) {
    if (!LACKS_CALL.includes(errnoOf(error) ?? '')) throw error
    if (statsAt(to)) throw Object.assign(new Error('rename: EEXIST'), { code: 'EEXIST' })
    renameSync(from.parent.at(from.name), to.parent.at(to.name))
  }
}

/**
 * Puts a staged thing in the place of exactly what `existing` describes, in one step. What was there is
 * afterwards under the staged name.
 *
 * @param existing what stands there by the caller's knowledge; undefined for a free name
 * @returns false, and nothing is changed, when something else stands there by now
 * @throws system errors; EXDEV
 */
export function replaceExactly(
  staged: Staged,
  to: Staged,
  existing: BigIntStats | undefined,
): boolean {
  try {
    if (!existing) takeName(staged, to)
    else return exchange(staged, to, existing)
    return true
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false
    throw error
  }
}

/** Looks at a name, itself and not what it links to; undefined for nothing. */
export function statsAt({ parent, name }: Staged): BigIntStats | undefined {
  return lstatSync(parent.at(name), { bigint: true, throwIfNoEntry: false })
}

/**
 * Gives something that was out of sight its name again: the name it had, or the next free one like it
 * when that is taken by now.
 *
 * @throws system errors
 */
export function putBack(from: Staged, to: Staged): void {
  for (let number = 0; number < TRIES; number += 1) {
    try {
      takeName(from, { parent: to.parent, name: number === 0 ? to.name : `${to.name}(${number})` })
      return
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
  throw Object.assign(new Error('rename: EEXIST'), { code: 'EEXIST' })
}

/**
 * Forces the names in a folder to the disk, with all that changed there before the call. It stays open until this
 * resolves. Some file systems cannot, and need not.
 */
export async function syncFolder(folder: Handle, flushes: FlushQueue): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY
  try {
    await flushes.shared({
      key: folder.identity(),
      open: () => openSync(folder.disk, flags),
      close: closeSync,
    })
  } catch (error) {
    if (!['EINVAL', 'EROFS', 'EOPNOTSUPP'].includes(errnoOf(error) ?? '')) throw error
  }
}

async function writeAll(
  file: promises.FileHandle,
  chunk: Uint8Array,
  makeRoom: MakeRoom | undefined,
): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const write = () => file.write(chunk, done, chunk.length - done)
    done += (await withRoom(makeRoom, write)).bytesWritten
  }
}

/** Does something again and again while the disk is full and gets room. @throws what `act` throws */
export async function withRoom<T>(
  makeRoom: MakeRoom | undefined,
  act: () => T | Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const isFull = ['ENOSPC', 'EDQUOT'].includes(errnoOf(error) ?? '')
      if (!isFull || !(await makeRoom?.())) throw error
    }
  }
}

/** Exchanges the two, and looks whether what came out is what was expected; else exchanges back. */
function exchange(staged: Staged, to: Staged, existing: BigIntStats): boolean {
  try {
    renameExchange(nameIn(staged), nameIn(to))
  } catch (error) {
    if (!LACKS_CALL.includes(errnoOf(error) ?? '')) throw error
    if (!isUnchanged(existing, statsAt(to))) return false
    renameSync(staged.parent.at(staged.name), to.parent.at(to.name))
    return true
  }
  if (isUnchanged(existing, statsAt(staged))) return true
  renameExchange(nameIn(staged), nameIn(to))
  return false
}

function isUnchanged(before: BigIntStats, now: BigIntStats | undefined): boolean {
  return (
    !!now &&
    identityOf(before) === identityOf(now) &&
    before.mtimeNs === now.mtimeNs &&
    before.size === now.size
  )
}

function nameIn({ parent, name }: Staged): NameIn {
  return [parent.fd, name]
}
