/** Stages new content: bytes of a request, or a file that was uploaded to another folder of the server. */
import { constants, linkSync, rmSync, unlinkSync } from 'node:fs'
import type { FlushQueue } from '#server/flush/flush-queue.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_PATH } from '#server/os/flags.ts'
import { createWithGroup, type Inherited } from '../attributes/inherited-access.ts'
import { copyWhole, type OpenStaged } from '../copy/copy-file.ts'
import { type MakeRoom, type Slot, withRoom } from '../handles/atomic.ts'
import { fileCalls, type OpenedFile } from '../handles/file-calls.ts'

/** How new content is staged. */
export interface StageOptions {
  /** Permission bits; the kernel removes those of the umask. */
  mode: number
  /** Called when the disk is full, as long as it frees anything. */
  makeRoom: MakeRoom
  /** What the file takes over from the folder in which it is new. */
  inherited: Inherited | undefined
}

/** Flags of open(2) for a name that must be free. */
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
/** Flags of open(2) for an empty staged file. */
const EMPTY_FILE = constants.O_WRONLY | constants.O_NOFOLLOW

/**
 * Writes new content to `staged`.
 *
 * @returns the open file, which the caller flushes and closes
 * @throws errors of the source or the disk; the staged file is then removed
 */
export async function stageContent(
  from: AsyncIterable<Uint8Array> | Uint8Array,
  staged: Slot,
  { mode, makeRoom, inherited }: StageOptions,
): Promise<OpenedFile> {
  const path = staged.parent.at(staged.name)
  const file = await withRoom(makeRoom, () =>
    fileCalls.open(path, createWithGroup(inherited, path) ? EMPTY_FILE : NEW_FILE, mode),
  )
  try {
    if (from instanceof Uint8Array) await writeAll(file, from, makeRoom)
    else for await (const chunk of from) await writeAll(file, chunk, makeRoom)
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    rmSync(path, { force: true })
    throw error
  }
}

/**
 * Links an uploaded file to a staged name, so that publication is one rename and the upload keeps its own name until
 * then.
 *
 * @returns false if that is not possible for any reason: the caller copies it, and reports what prevents that. File
 *   systems without hard links refuse them with many numbers, such as EPERM, ENOSYS or EIO.
 */
export function tryLinkUpload(from: Slot, staged: Slot): boolean {
  try {
    linkSync(from.parent.at(from.name), staged.parent.at(staged.name))
    return true
  } catch {
    return false
  }
}

/** Copies an uploaded file to a staged name on the file system of its destination. */
export async function copyUpload(
  from: Slot,
  staged: Slot,
  inherited: Inherited | undefined,
  flushes: FlushQueue,
): Promise<void> {
  using source = from.parent.child(from.name, O_PATH)
  const { mode, mtimeMs: modifiedMs } = source.stat()
  await copyWhole(source, staged.parent.at(staged.name), { mode, modifiedMs, inherited }, flushes)
}

/** @param options `isQuick`: whether the file is small */
export async function flushAndClose(
  file: OpenStaged,
  flushes: FlushQueue,
  options: { isQuick: boolean },
): Promise<void> {
  try {
    await flushes.file(file.fd, options)
  } finally {
    await file.close()
  }
}

/** Removes a staged file. This takes one call; `rm` of Node.js makes two. */
export async function unlinkIfExists({ parent, name }: Slot): Promise<void> {
  try {
    await fileCalls.unlink(parent.at(name))
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

/** Removes one of several names of a file, in this thread: no content is freed. */
export function unlinkSecondName({ parent, name }: Slot): void {
  try {
    unlinkSync(parent.at(name))
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
}

async function writeAll(
  file: OpenedFile,
  chunk: Uint8Array,
  makeRoom: MakeRoom | undefined,
): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const write = () => file.write(chunk, done, chunk.length - done)
    done += (await withRoom(makeRoom, write)).bytesWritten
  }
}
