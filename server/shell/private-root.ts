/**
 * A file tree of a process's own, and processes of its own: mounts that nobody else sees, of which it keeps the system's
 * programs, the folder it works in, and nothing else. What is not in the tree cannot even be asked for.
 */
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SystemError } from '#server/os/errno.ts'
import { call } from '#server/os/libc.ts'

const CLONE_NEWNS = 0x00020000
const CLONE_NEWIPC = 0x08000000
const CLONE_NEWUSER = 0x10000000
/** Of what is started from here on: it sees and reaches no process but its own. */
const CLONE_NEWPID = 0x20000000
const OWN = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID

const MS_BIND = 0x1000
const MS_REC = 0x4000
const MS_PRIVATE = 0x40000
const MNT_DETACH = 2

const HERE = -100
const AT_RECURSIVE = 0x8000
const READ_ONLY = 1
const NO_SET_UID = 2
const NO_DEVICES = 4

export interface Tree {
  /** An empty folder on which the tree is put together. */
  at: string
  /** Kept, and only to be read. */
  readable: readonly string[]
  devices: readonly string[]
  writable: readonly string[]
  /** The folder to work in; the process stands in it. */
  top: string
  /** In its place, one file below it, and only to be read; `open` is called in the mounts of its own. */
  only: { path: string; open(): number } | undefined
  /** Folders below the top in whose place an empty one is seen. */
  hidden: readonly string[]
}

/**
 * Leaves the old tree for good and stands in the top folder of the new one.
 *
 * @returns whether processes are counted anew here, apart from the user's others
 * @throws SystemError where the system does not let a process do this
 */
export function enterPrivateRoot({
  at,
  readable,
  devices,
  writable,
  top,
  only,
  hidden,
}: Tree): boolean {
  const ownUser = leaveSharedMounts()
  call('mount', 0, '/', 0, MS_REC | MS_PRIVATE, 0)
  call('mount', 'none', at, 'tmpfs', NO_SET_UID | NO_DEVICES, 'mode=755,size=1m')
  // By the folder that was opened, whatever its path leads to by now.
  if (only) {
    attach(
      `/proc/self/fd/${only.open()}`,
      `${at}${top}${only.path}`,
      READ_ONLY | NO_SET_UID | NO_DEVICES,
    )
  } else attach('.', `${at}${top}`, NO_SET_UID | NO_DEVICES)
  for (const path of readable) keep(at, path, READ_ONLY | NO_SET_UID | NO_DEVICES)
  for (const path of devices) keep(at, path, NO_SET_UID)
  for (const path of writable) keep(at, path, NO_SET_UID | NO_DEVICES)
  if (!only) hide(`${at}${top}`, hidden, join(at, '.nothing'))
  call('mount_setattr', HERE, at, 0, attributes(READ_ONLY), 32)
  process.chdir(at)
  call('pivot_root', '.', '.')
  call('umount2', '.', MNT_DETACH)
  process.chdir(top)
  return ownUser
}

/**
 * The superuser may have mounts of its own; anyone else may within a user namespace of their own, in
 * which they keep their own id and no other.
 */
function leaveSharedMounts(): boolean {
  try {
    call('unshare', OWN)
    return false
  } catch (error) {
    if (!(error instanceof SystemError) || error.code !== 'EPERM') throw error
  }
  const [user, group] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0]
  call('unshare', CLONE_NEWUSER | OWN)
  writeFileSync('/proc/self/setgroups', 'deny')
  writeFileSync('/proc/self/uid_map', `${user} ${user} 1`)
  writeFileSync('/proc/self/gid_map', `${group} ${group} 1`)
  return true
}

/** What stands at `path`, links resolved, under the same path of the new tree. */
function keep(at: string, path: string, restrictions: number): void {
  if (existsSync(path)) attach(realpathSync(path), `${at}${path}`, restrictions)
}

function attach(from: string, to: string, restrictions: number): void {
  mkdirSync(dirname(to), { recursive: true })
  if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true })
  else writeFileSync(to, '')
  call('mount', from, to, 0, MS_BIND | MS_REC, 0)
  call('mount_setattr', HERE, to, AT_RECURSIVE, attributes(restrictions), 32)
}

/**
 * Puts an empty folder over each hidden one. The folders above it are mounted on themselves: what is
 * mounted cannot be renamed, so nothing hidden turns up under another name.
 */
function hide(top: string, hidden: readonly string[], nothing: string): void {
  mkdirSync(nothing, { mode: 0o555 })
  const there = hidden.filter((path) => isMade(`${top}${path}`))
  const above = new Set(there.flatMap((path) => foldersAbove(path)))
  for (const folder of [...above].sort()) {
    call('mount', `${top}${folder}`, `${top}${folder}`, 0, MS_BIND | MS_REC, 0)
  }
  for (const path of there) {
    call('mount', nothing, `${top}${path}`, 0, MS_BIND, 0)
    call('mount_setattr', HERE, `${top}${path}`, 0, attributes(READ_ONLY), 32)
  }
}

/** Makes a folder that is not there yet, or a program would; where this process may not, no program may. */
function isMade(path: string): boolean {
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

/** struct mount_attr: what to set, what to clear, how mounts spread, whose ids. */
function attributes(set: number): BigUint64Array {
  return new BigUint64Array([BigInt(set), 0n, 0n, 0n])
}
