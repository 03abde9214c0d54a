/**
 * Putting things in place in one step. New content is staged out of sight, forced to the disk, and
 * renamed; a reader, or a crash, meets the old file or the new one and nothing between.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  futimesSync,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { errnoOf } from './errno.ts'
import type { Handle } from './handle.ts'
import { renameNoReplace } from './libc.ts'
import { lookAt, type Place } from './local-resolve.ts'
import { randomName, STAGED_PREFIX } from './private-folder.ts'
import type { ByteStream } from './storage.ts'

/** A name in an open folder that nobody else knows. */
export interface StagedPlace {
  parent: Handle
  name: string
}

export interface Finish {
  /** Permission bits of the finished file. */
  mode: number
  modifiedMs?: number | undefined
  /** Keep this owner, where the server may give files away. */
  owner?: Pick<Stats, 'uid' | 'gid'> | undefined
}

/**
 * Writes new content to `staged` and leaves it there.
 *
 * @throws whatever the source or the disk throws; nothing is left behind then
 */
export async function stage(from: ByteStream | Uint8Array, staged: StagedPlace): Promise<void> {
  const path = staged.parent.at(staged.name)
  try {
    await writeNew(path, from)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Gives a staged file its mode, owner and time, and forces its bytes to the disk. */
export function finish(staged: StagedPlace, { mode, modifiedMs, owner }: Finish): void {
  const fd = openSync(staged.parent.at(staged.name), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if (owner && process.getuid?.() === 0) fchownSync(fd, owner.uid, owner.gid)
    fchmodSync(fd, mode)
    if (modifiedMs !== undefined) futimesSync(fd, Date.now() / 1000, modifiedMs / 1000)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Gives a staged file or folder its public name, and forces the name to the disk. When that fails
 * the staged thing stays as it was.
 *
 * @throws Fault conflict, isDirectory; SystemError from the rename
 */
export async function publish(staged: StagedPlace, to: Place, overwrite: boolean): Promise<void> {
  const near = await bringNear(staged, to)
  try {
    if (overwrite) replace(near, to)
    else takeName(near, to)
  } catch (error) {
    if (near !== staged) rmSync(near.parent.at(near.name), { recursive: true, force: true })
    throw error
  }
  if (near !== staged) rmSync(staged.parent.at(staged.name), { recursive: true, force: true })
  syncFolder(to.parent)
}

/**
 * Renames only if the new name is free.
 *
 * @throws SystemError EEXIST
 */
export function takeName(from: StagedPlace, to: StagedPlace): void {
  try {
    renameNoReplace([from.parent.fd, from.name], [to.parent.fd, to.name])
  } catch (error) {
    if (!['ENOSYS', 'EINVAL', 'EOPNOTSUPP'].includes(errnoOf(error) ?? '')) throw error
    // File systems without RENAME_NOREPLACE (some network ones): look, then rename.
    if (lstatSync(to.parent.at(to.name), { throwIfNoEntry: false })) {
      throw new Fault('conflict', 'The name is already taken.')
    }
    renameSync(from.parent.at(from.name), to.parent.at(to.name))
  }
}

/** Forces the names in a folder to the disk. Some file systems cannot, and need not. */
export function syncFolder(folder: Handle): void {
  const fd = openSync(folder.disk, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    fsyncSync(fd)
  } catch (error) {
    if (!['EINVAL', 'EROFS', 'EOPNOTSUPP'].includes(errnoOf(error) ?? '')) throw error
  } finally {
    closeSync(fd)
  }
}

async function writeNew(path: string, from: ByteStream | Uint8Array): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await promises.open(path, flags, 0o600)
  try {
    if (from instanceof Uint8Array) await file.writeFile(from)
    else for await (const chunk of from) await writeAll(file, chunk)
  } finally {
    await file.close()
  }
}

async function writeAll(file: promises.FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done, chunk.length - done)).bytesWritten
  }
}

function replace(from: StagedPlace, to: Place): void {
  if (lookAt(to)?.isDirectory()) throw new Fault('isDirectory', 'A folder has this name.')
  renameSync(from.parent.at(from.name), to.parent.at(to.name))
}

/**
 * Where a mount inside the tree puts the destination on another file system, the staged thing is
 * copied beside it first, under a private name, so that publishing is a rename again.
 */
async function bringNear(staged: StagedPlace, to: Place): Promise<StagedPlace> {
  if (staged.parent.stat().dev === to.parent.stat().dev) return staged
  const near = { parent: to.parent, name: STAGED_PREFIX + randomName() }
  const [from, there] = [staged.parent.at(staged.name), near.parent.at(near.name)]
  try {
    await promises.cp(from, there, {
      recursive: true,
      preserveTimestamps: true,
      errorOnExist: true,
    })
    const { mode } = lstatSync(from)
    if (lstatSync(there).isFile()) finish(near, { mode, modifiedMs: lstatSync(from).mtimeMs })
  } catch (error) {
    await promises.rm(there, { recursive: true, force: true })
    throw error
  }
  return near
}
