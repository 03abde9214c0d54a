/** Calls of Windows that node:fs lacks, through bun:ffi. */
import { dlopen, FFIType, ptr } from 'bun:ffi'
import { toNamespacedPath } from 'node:path'
import { SystemError } from './errno.ts'

const { i32, u32, ptr: pointer } = FFIType

/** Rights of OpenProcess. */
const PROCESS_QUERY_LIMITED_INFORMATION = 0x1000

/** FILETIME counts units of 100 ns. */
const TICKS_PER_MS = 10_000n

/** System error codes (winerror.h) → names of errno. */
const ERRNO_OF: Record<number, string> = {
  2: 'ENOENT',
  3: 'ENOENT',
  5: 'EPERM',
  17: 'EXDEV',
  19: 'EROFS',
  32: 'EBUSY',
  33: 'EBUSY',
  80: 'EEXIST',
  112: 'ENOSPC',
  123: 'EINVAL',
  145: 'ENOTEMPTY',
  183: 'EEXIST',
  206: 'ENAMETOOLONG',
}

const library = process.platform === 'win32' ? openLibrary() : undefined

function openLibrary() {
  return dlopen('kernel32.dll', {
    MoveFileExW: { args: [pointer, pointer, u32], returns: i32 },
    GetLastError: { args: [], returns: u32 },
    OpenProcess: { args: [u32, i32, u32], returns: pointer },
    GetProcessTimes: { args: [pointer, pointer, pointer, pointer, pointer], returns: i32 },
    CloseHandle: { args: [pointer], returns: i32 },
  }).symbols
}

/** Whether `moveExclusively` exists: on Windows only. */
export const movesExclusively = library !== undefined

/**
 * Renames an entry if the new name is free, in one step (MoveFileEx without MOVEFILE_REPLACE_EXISTING).
 *
 * @throws SystemError EEXIST, EXDEV, EBUSY (another program uses it) and others; ENOSYS on other systems
 */
export function moveExclusively(from: string, to: string): void {
  if (!library) throw new SystemError('rename', 'ENOSYS')
  if (library.MoveFileExW(ptr(wide(from)), ptr(wide(to)), 0) !== 0) return
  throw new SystemError('rename', ERRNO_OF[library.GetLastError()] ?? 'EIO')
}

/** @returns when a process was created, in milliseconds since 1601; 0 if that is not known, as on other systems */
export function creationOf(pid: number): number {
  const process = library?.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid)
  if (!library || !process) return 0
  const times = new BigUint64Array(4)
  const [created, exited, kernel, user] = [
    ptr(times),
    ptr(times, 8),
    ptr(times, 16),
    ptr(times, 24),
  ]
  const isKnown = library.GetProcessTimes(process, created, exited, kernel, user) !== 0
  library.CloseHandle(process)
  return isKnown ? Number((times[0] ?? 0n) / TICKS_PER_MS) : 0
}

/** @returns a path as UTF-16 with NUL at its end, in the form that may have more than 260 characters */
function wide(path: string): Uint8Array {
  return Buffer.from(`${toNamespacedPath(path)}\0`, 'utf16le')
}
