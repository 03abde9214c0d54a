/** Walks a whole tree before it is moved or removed: counts its entries, and computes a hash that shows changes. */

import { createHash, type Hash } from 'node:crypto'
import { accessSync, type BigIntStats, constants } from 'node:fs'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { isFixed } from '#server/os/inode-flags.ts'
import { Fault } from '#wire/fault.ts'
import { isPrivateName } from '#wire/reserved-names.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { type Handle, type Identity, identityOf } from '../handles/handle.ts'
import { isAsideName } from '../handles/private-name.ts'
import { intoItself } from '../handles/rename-rules.ts'
import { FOLDER_FLAGS } from '../handles/resolve.ts'
import { refuseTooDeep } from '../handles/tree-depth.ts'
import { holdsMount, type VolumeId, volumeOf } from '../mounts/mounts.ts'
import { isInUse } from '../private/private-folder-use.ts'
import { readFolderNames } from '../read/read-folder.ts'
import { entryError, entryPath } from './entry-error.ts'

/** The mode bit of a folder from which only the owner of a file, or of the folder, may remove the file. */
const STICKY = 0o1000

/** What a tree contains, including its top entry. */
export interface Contents {
  files: number
  folders: number
  /** Links and special files. */
  otherKinds: number
  bytes: bigint
}

export interface Survey {
  contents: Contents
  /** Changes if any name, content, mode or time in the tree changes; of the top entry not its name or ctime. */
  fingerprint: string
}

/**
 * Walks a tree without following links.
 *
 * @throws Fault locked (another file system is mounted inside), forbidden (files of a server inside), tooLarge (too many
 *   levels of folders); system errors if something cannot be read
 */
export function survey(root: Slot): Promise<Survey> {
  return new Walk(() => undefined, new Set()).run(root)
}

/**
 * As `survey`, and refuses a tree from which this process could not remove everything; the top entry is not checked.
 *
 * @param needed folders that must not be in the tree: the destination and all folders above it
 * @throws Fault forbidden, badRequest (a needed folder), and as `survey`
 */
export function surveyForRemoval(
  root: Slot,
  needed: ReadonlySet<Identity> = new Set(),
): Promise<Survey> {
  return new Walk(requireRemovable, needed).run(root)
}

/**
 * Refuses a tree that must not be moved to the trash, or could not be removed from it later. A folder with many files
 * takes little time, because files are checked only in a sticky folder of another owner. So an immutable or
 * append-only file inside stays in the trash until it loses this flag.
 *
 * @throws as `surveyForRemoval`
 */
export async function surveyForTrash(root: Slot): Promise<void> {
  const stats = lstatAt(root)
  if (!stats) return
  requireRemovable(root.parent, root.name, stats)
  const volume = volumeOf(root.parent)
  // The open folders from the root down to the current one, with the subfolders still to check.
  const openFolders: { folder: Handle; path: string; pending: string[] }[] = []
  const pace = pacer()
  const enter = async (parent: Handle, name: string, path: string) => {
    refuseTooDeep(openFolders.length)
    try {
      const entered = { folder: parent.child(name, FOLDER_FLAGS), path, pending: [] as string[] }
      openFolders.push(entered)
      await pace()
      entered.pending = await subfoldersOf(entered.folder, volume)
    } catch (error) {
      throw entryError(error, { path, exists: () => true })
    }
  }
  try {
    await enter(root.parent, root.name, '')
    for (let current = openFolders.at(-1); current; current = openFolders.at(-1)) {
      const name = current.pending.pop()
      if (name === undefined) openFolders.pop()?.folder.close()
      else if (isFolder({ parent: current.folder, name }))
        await enter(current.folder, name, entryPath(current.path, name))
    }
  } finally {
    for (const { folder } of openFolders) folder.close()
  }
}

/**
 * Refuses a folder that cannot be removed.
 *
 * @returns the names of its subfolders
 * @throws Fault locked (a file system is mounted on it), forbidden
 */
async function subfoldersOf(folder: Handle, volume: VolumeId): Promise<string[]> {
  if (volumeOf(folder) !== volume) {
    throw holdsMount()
  }
  if (accessProblem(folder.disk, constants.W_OK | constants.X_OK)) throw cannotRemove()
  if (isFixed(folder.fd)) throw cannotRemove()
  if (protectsEntries(folder)) await requireOwnEntries(folder)
  const names: string[] = []
  const pace = pacer()
  for (const name of readFolderNames(folder.fd) ?? folder.names()) {
    await pace()
    requireMovable(folder, name)
    if (isFolder({ parent: folder, name })) names.push(name)
  }
  return names
}

/** @throws Fault forbidden (an entry of a sticky folder does not belong to this process) */
async function requireOwnEntries(folder: Handle): Promise<void> {
  const pace = pacer()
  for (const name of folder.names()) {
    await pace()
    const stats = lstatAt({ parent: folder, name })
    if (stats) requireRemovable(folder, name, stats)
  }
}

function isFolder(slot: Slot): boolean {
  return lstatAt(slot)?.isDirectory() === true
}

/**
 * Refuses an entry that must stay where it is.
 *
 * @throws Fault locked (a hidden item that is being moved), forbidden (the private folder of a running server)
 */
function requireMovable(folder: Handle, name: string): void {
  if (isAsideName(name))
    throw new Fault('locked', 'A part of this folder is being moved. Try again later.')
  if (isPrivateName(name) && isInUse(folder, name)) {
    throw new Fault('forbidden', 'This folder contains files of another filemgr server.')
  }
}

/** Throws for an entry that refuses the survey. */
type Check = (folder: Handle, name: string, stats: BigIntStats) => void

class Walk {
  readonly #check: Check
  readonly #needed: ReadonlySet<Identity>
  readonly #hash: Hash = createHash('sha256')
  readonly #contents: Contents = { files: 0, folders: 0, otherKinds: 0, bytes: 0n }
  readonly #pace = pacer()

  constructor(check: Check, needed: ReadonlySet<Identity>) {
    this.#check = check
    this.#needed = needed
  }

  async run(root: Slot): Promise<Survey> {
    const stats = lstatAt(root)
    if (stats) await this.#entry(root.parent, root.name, stats, undefined, '')
    return { contents: this.#contents, fingerprint: this.#hash.digest('hex') }
  }

  async #entry(
    folder: Handle,
    name: string,
    stats: BigIntStats,
    volume: VolumeId | undefined,
    path: string,
  ): Promise<void> {
    const { size, mode, mtimeNs, ctimeNs } = stats
    // A rename changes the ctime of the top entry, and it has another name at each survey.
    const changedNs = path === '' ? mtimeNs : ctimeNs
    this.#hash.update(`${path}\0${identityOf(stats)} ${mode} ${size} ${mtimeNs} ${changedNs}\n`)
    if (stats.isDirectory()) return this.#folder(folder, name, volume, path)
    if (stats.isFile()) {
      this.#contents.files += 1
      this.#contents.bytes += size
    } else {
      this.#contents.otherKinds += 1
    }
  }

  async #folder(
    above: Handle,
    name: string,
    volume: VolumeId | undefined,
    path: string,
  ): Promise<void> {
    refuseTooDeep(path.split('/').length - 1)
    using folder = above.child(name, FOLDER_FLAGS)
    const folderVolume = volumeOf(folder)
    if (folderVolume !== (volume ?? volumeOf(above))) {
      throw holdsMount()
    }
    if (this.#needed.has(folder.identity())) throw intoItself()
    this.#contents.folders += 1
    for (const child of folder.names().sort()) {
      await this.#pace()
      requireMovable(folder, child)
      const childPath = `${path}/${child}`
      const from = { parent: folder, name: child }
      try {
        const stats = lstatAt(from)
        if (!stats) continue
        this.#check(folder, child, stats)
        await this.#entry(folder, child, stats, folderVolume, childPath)
      } catch (error) {
        throw entryError(error, { path: childPath.slice(1), exists: () => true })
      }
    }
  }
}

/**
 * Refuses an entry that this process may not remove from its folder.
 *
 * @throws SystemError EACCES
 */
export function requireRemovable(folder: Handle, name: string, stats: BigIntStats): void {
  if (!mayRemove(folder, name, stats)) throw cannotRemove()
}

/** As the removal would fail. */
function cannotRemove(): SystemError {
  return new SystemError('unlink', 'EACCES')
}

/** Whether the system lets this process remove the entry. */
function mayRemove(folder: Handle, name: string, stats: BigIntStats): boolean {
  if (accessProblem(folder.disk, constants.W_OK | constants.X_OK)) return false
  if (protectsEntries(folder) && stats.uid !== BigInt(processUid())) return false
  if (isFixed(folder.fd) || isFixed(folder.fd, name)) return false
  // EPERM instead of EACCES means that the file is immutable (ioctl_iflags(2)); not even root can remove it.
  const isLink = stats.isSymbolicLink()
  return isLink || accessProblem(folder.at(name), constants.W_OK) !== 'EPERM'
}

/** Whether a folder is sticky, so that this process may remove only its own entries from it. */
function protectsEntries(folder: Handle): boolean {
  const { mode, uid } = folder.stat()
  const isOwn = [0, uid].includes(processUid())
  return (mode & STICKY) !== 0 && !isOwn
}

function processUid(): number {
  return process.getuid?.() ?? 0
}

/** @returns the errno of a refused access; undefined if it is granted */
function accessProblem(path: string | Buffer, mode: number): string | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    return errnoOf(error) ?? 'EIO'
  }
}
