/**
 * The group and the access list that a new entry takes over from its folder, as open(2) and mkdir(2) do it. New content
 * is staged in the private folder, where it takes over nothing, and a rename changes neither of them.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { errnoOf, isUnsupported } from '#server/os/errno.ts'
import { givesGroupOfFolder } from '#server/os/group-of-folder.ts'
import type { DiskPath, Handle } from '../handles/handle.ts'
import { doomedName } from '../handles/private-name.ts'
import { ACCESS_LIST, DEFAULT_LIST, newAccess } from './access-list.ts'
import { attributeAt, setAttribute } from './attributes.ts'
import { randomName } from './own-folder.ts'

/** The mode bit of a folder that gives its group to new entries. */
const SET_GROUP_ID = 0o2000
/** The mode bits without those of set-user-id, set-group-id and sticky. */
export const RIGHTS = 0o777
const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** What a folder gives to new entries. */
export interface Inherited {
  folder: Handle
  /** Undefined if new entries get the group of this process. */
  group: number | undefined
  /** Whether new folders get the set-group-id bit. */
  setsGroupId: boolean
  /** The access list for new entries, as the kernel stores it. */
  list: Uint8Array | undefined
}

/** @returns undefined if new entries get only the group of this process and their mode */
export function inheritedIn(folder: Handle): Inherited | undefined {
  const { gid, mode, dev } = folder.stat()
  const setsGroupId = (mode & SET_GROUP_ID) !== 0
  const givesGroup = setsGroupId || givesGroupOfFolder(dev)
  const list = attributeAt(folder.disk, DEFAULT_LIST)
  if (!givesGroup && !list) return undefined
  return { folder, group: givesGroup ? gid : undefined, setsGroupId, list }
}

/**
 * Gives a staged file the group, the access list and the mode that it would have if it had been created in the folder.
 *
 * @throws system errors
 */
export function giveFileAccess(fd: number, inherited: Inherited, mode: number): void {
  giveGroup(fd, inherited)
  giveMode(fd, inherited, mode & RIGHTS, 0)
}

/**
 * As `giveFileAccess`, for a staged folder. Its new entries then take over the same.
 *
 * @throws system errors
 */
export function giveFolderAccess(fd: number, inherited: Inherited, mode: number): void {
  const hasGroup = giveGroup(fd, inherited)
  if (inherited.list) setAttribute(fd, DEFAULT_LIST, inherited.list)
  const bits = inherited.setsGroupId && hasGroup ? SET_GROUP_ID : 0
  giveMode(fd, inherited, mode & RIGHTS, bits | (mode & ~RIGHTS))
}

/**
 * Creates an empty file if only so it gets the inherited group, because this process is not a member of that: the file
 * is created in the folder under a reserved name, and then renamed.
 *
 * @param to a free name on the same file system
 * @returns false if `giveFileAccess` can give the group; then nothing is created
 * @throws system errors
 */
export function createWithGroup(inherited: Inherited | undefined, to: DiskPath): boolean {
  if (!inherited || mayGiveGroup(inherited)) return false
  const { folder } = inherited
  const temporary = folder.at(doomedName(randomName()))
  closeSync(openSync(temporary, NEW_FILE, 0o600))
  try {
    renameSync(temporary, to)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return true
}

/** Whether this process may give its files to the group. */
export function mayGiveGroup({ group }: Inherited): boolean {
  if (group === undefined || process.geteuid?.() === 0) return true
  return group === process.getegid?.() || process.getgroups?.().includes(group) === true
}

/** @returns whether the object has the inherited group */
function giveGroup(fd: number, { group }: Inherited): boolean {
  const { uid, gid } = fstatSync(fd)
  if (group === undefined || group === gid) return true
  try {
    fchownSync(fd, uid, group)
    return true
  } catch (error) {
    // This process is not a member, or the file system has no groups.
    if (errnoOf(error) !== 'EPERM' && !isUnsupported(error)) throw error
    return false
  }
}

/** @param special the set-group-id and sticky bits */
function giveMode(fd: number, { list }: Inherited, mode: number, special: number): void {
  const access = list ? newAccess(list, mode) : { mode, list: undefined }
  if (access.list) setAttribute(fd, ACCESS_LIST, access.list)
  const bits = access.mode | special
  if ((fstatSync(fd).mode & 0o7777) !== bits) fchmodSync(fd, bits)
}
