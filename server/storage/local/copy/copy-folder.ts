/** Copies one folder of a tree: its entries are copied by the caller, and then it gets its attributes. */
import { chmodSync, mkdirSync } from 'node:fs'
import { rmSync } from '#server/os/remove.ts'
import { setModified, setModifiedAt } from '#server/os/set-modified.ts'
import { copyAttributes } from '../attributes/attributes.ts'
import { giveFolderAccess, type Inherited } from '../attributes/inherited-access.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { type Handle, NOT_OPEN } from '../handles/handle.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import { type CopyPool, type FileFlusher, PendingTasks, type StartedTask } from './copy-pool.ts'

/** Mode bits of a copied folder until it is complete. */
const UNFINISHED_MODE = 0o700

/** How a folder is copied. */
export interface FolderCopy {
  pool: CopyPool
  /** What the copy takes over from its folder. */
  inherited?: Inherited | undefined
  /** The folder that the copy is merged into, closed at the end. */
  existing?: Handle
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
  { pool, isResumed, inherited, existing, child, finish }: FolderCopy,
): Promise<StartedTask> {
  const handles = existing ? [source, existing] : [source]
  const contents = new PendingTasks()
  try {
    const copy = isResumed ? resumedFolder(to) : newFolder(to)
    handles.push(copy)
    if (inherited) giveFolderAccess(copy.fd, inherited, UNFINISHED_MODE)
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
  mkdirSync(to.parent.at(to.name), UNFINISHED_MODE)
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
  chmodSync(folder.disk, UNFINISHED_MODE)
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
  {
    mode,
    modifiedMs,
    inherited,
  }: { mode: number; modifiedMs: number; inherited?: Inherited | undefined },
  flushes: FileFlusher,
): Promise<void> {
  if (copy.fd === NOT_OPEN) {
    // Windows changes a folder by its path only, and cannot flush it.
    chmodSync(copy.disk, mode)
    setModifiedAt(copy.disk, modifiedMs)
    return
  }
  copyAttributes(like.fd, copy.fd, { lists: !inherited?.list })
  const file = await fileCalls.open(copy.disk, FOLDER_FLAGS)
  try {
    if (inherited) giveFolderAccess(file.fd, inherited, mode)
    else await file.chmod(mode)
    setModified(file.fd, modifiedMs)
    await flushes.file(file.fd)
  } finally {
    await file.close()
  }
}
