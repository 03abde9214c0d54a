/**
 * Gives a process its own root and process namespace: private mounts with only the system's programs and its working
 * folder. Nothing outside is accessible by any path.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { SystemError } from '#server/os/errno.ts'
import { call } from '#server/os/libc.ts'

const CLONE_NEWNS = 0x00020000
const CLONE_NEWIPC = 0x08000000
const CLONE_NEWUSER = 0x10000000
const CLONE_NEWNET = 0x40000000
/** For child processes: they see only processes of their namespace. */
const CLONE_NEWPID = 0x20000000
const OWN_NAMESPACES = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID

const MS_BIND = 0x1000
const MS_REC = 0x4000
const MS_PRIVATE = 0x40000
const MNT_DETACH = 2

/** A path is relative to the working folder. */
const AT_FDCWD = -100
const AT_RECURSIVE = 0x8000
const READ_ONLY = 1
const NO_SET_UID = 2
const NO_DEVICES = 4

export interface PrivateTree {
  /** An empty folder on which the new root is mounted. */
  mountPoint: string
  /** Visible read-only. */
  readable: readonly string[]
  devices: readonly string[]
  writable: readonly string[]
  /** A folder in memory for temporary files; with it, the process gets a network namespace without interfaces. */
  workspace: { path: string; sizeBytes: number } | undefined
  /** The folder to work in; it is the current folder. */
  rootFolder: string
  /** Instead of the folder, one file in it, read-only; `open` is called in the new mount namespace. */
  only: { path: string; open(): number } | undefined
  /** Folders below the root folder that appear empty. */
  hidden: readonly string[]
  /** Mount points below it that cannot be read. Their disks do not respond, so nothing may touch them. */
  silent: readonly string[]
}

/**
 * Enters the new root irrevocably, with its root folder as the current folder.
 *
 * @returns whether processes are counted separately from the user's others
 * @throws SystemError if the system does not permit it
 */
export function enterPrivateRoot({
  mountPoint,
  readable,
  devices,
  writable,
  workspace,
  rootFolder,
  only,
  hidden,
  silent,
}: PrivateTree): boolean {
  const hasUserNamespace = enterNamespaces(OWN_NAMESPACES | (workspace ? CLONE_NEWNET : 0))
  call('mount', 0, '/', 0, MS_REC | MS_PRIVATE, 0)
  call('mount', 'none', mountPoint, 'tmpfs', NO_SET_UID | NO_DEVICES, 'mode=755,size=1m')
  // First, because the working folder may be inside.
  if (workspace) mountWorkspace(`${mountPoint}${workspace.path}`, workspace.sizeBytes)
  // The source is an open descriptor, because its path may be that of another object by now.
  if (only) {
    attach(
      `/proc/self/fd/${only.open()}`,
      `${mountPoint}${rootFolder}${only.path}`,
      READ_ONLY | NO_SET_UID | NO_DEVICES,
    )
  } else attach('.', `${mountPoint}${rootFolder}`, NO_SET_UID | NO_DEVICES)
  for (const path of readable) bindMount(mountPoint, path, READ_ONLY | NO_SET_UID | NO_DEVICES)
  for (const path of devices) bindMount(mountPoint, path, NO_SET_UID)
  for (const path of writable) bindMount(mountPoint, path, NO_SET_UID | NO_DEVICES)
  if (!only) {
    // First, because others may be below.
    closeOff(`${mountPoint}${rootFolder}`, silent)
    hide(`${mountPoint}${rootFolder}`, hidden, join(mountPoint, '.nothing'))
  }
  call('mount_setattr', AT_FDCWD, mountPoint, 0, attributes(READ_ONLY), 32)
  process.chdir(mountPoint)
  call('pivot_root', '.', '.')
  call('umount2', '.', MNT_DETACH)
  process.chdir(rootFolder)
  return hasUserNamespace
}

/**
 * Root may create a mount namespace. Other users may in a user namespace, in which they keep their id.
 *
 * @returns whether a user namespace was created
 */
function enterNamespaces(namespaces: number): boolean {
  try {
    call('unshare', namespaces)
    return false
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EPERM') throw error
  }
  const [user, group] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  call('unshare', CLONE_NEWUSER | namespaces)
  writeFileSync('/proc/self/setgroups', 'deny')
  writeFileSync('/proc/self/uid_map', `${user} ${user} 1`)
  writeFileSync('/proc/self/gid_map', `${group} ${group} 1`)
  return true
}

function mountWorkspace(path: string, sizeBytes: number): void {
  mkdirSync(path, { recursive: true })
  call('mount', 'none', path, 'tmpfs', NO_SET_UID | NO_DEVICES, `mode=700,size=${sizeBytes}`)
}

/** Mounts the target of `path` at the same path below the new root. */
function bindMount(newRoot: string, path: string, restrictions: number): void {
  if (existsSync(path)) attach(realpathSync(path), `${newRoot}${path}`, restrictions)
}

function attach(from: string, to: string, restrictions: number): void {
  mkdirSync(dirname(to), { recursive: true })
  if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true })
  else writeFileSync(to, '')
  call('mount', from, to, 0, MS_BIND | MS_REC, 0)
  call('mount_setattr', AT_FDCWD, to, AT_RECURSIVE, attributes(restrictions), 32)
}

/**
 * Mounts an empty folder over each hidden one. The folders above it are bind-mounted onto themselves: a mount point
 * cannot be renamed, so a hidden folder cannot appear under another name.
 */
function hide(rootFolder: string, hidden: readonly string[], emptyFolder: string): void {
  mkdirSync(emptyFolder, { mode: 0o555 })
  const existing = hidden.filter((path) => ensureFolder(`${rootFolder}${path}`))
  const above = new Set(existing.flatMap((path) => foldersAbove(path)))
  for (const folder of [...above].sort()) {
    call('mount', `${rootFolder}${folder}`, `${rootFolder}${folder}`, 0, MS_BIND | MS_REC, 0)
  }
  for (const path of existing) cover(`${rootFolder}${path}`, emptyFolder)
}

/**
 * Mounts over each mount point, without asking its disk, a file system (FUSE) whose process has ended: each access fails. An
 * empty folder would look as if the disk had lost everything.
 *
 * @throws SystemError if the system has no FUSE
 */
function closeOff(rootFolder: string, silent: readonly string[]): void {
  for (const path of silent) {
    const device = openSync('/dev/fuse', 'r+')
    const owner = `user_id=${process.getuid?.() ?? 0},group_id=${process.getgid?.() ?? 0}`
    const options = `fd=${device},rootmode=40000,${owner}`
    call('mount', 'filemgr', `${rootFolder}${path}`, 'fuse', NO_SET_UID | NO_DEVICES, options)
    closeSync(device)
  }
}

function cover(path: string, by: string): void {
  call('mount', by, path, 0, MS_BIND, 0)
  call('mount_setattr', AT_FDCWD, path, 0, attributes(READ_ONLY), 32)
}

/**
 * Creates a missing folder, which a program could otherwise create. If this process may not, no program may.
 *
 * @returns whether the folder exists now
 */
function ensureFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return existsSync(path)
  }
}

/** `/a`, `/a/b` for `/a/b/c`. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path)
  return parent === '/' ? [] : [...foldersAbove(parent), parent]
}

/** struct mount_attr of 32 bytes: flags to set, flags to clear, propagation, user namespace. */
function attributes(set: number): BigUint64Array {
  return new BigUint64Array([BigInt(set), 0n, 0n, 0n])
}
