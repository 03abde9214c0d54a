/** Locks on open files and folders (flock(2)), which end with their descriptor. */
import { closeSync, openSync } from 'node:fs'
import { lastError, libc } from './libc.ts'

const LOCK_SH_NB = 1 | 4
const LOCK_EX_NB = 2 | 4
const LOCK_EX = 2

/**
 * Takes an exclusive flock(2), for the lifetime of the descriptor, if it is free.
 *
 * @returns whether another descriptor has a lock; false also on a file system without locks, and without a C library
 */
export function isLocked(fd: number): boolean {
  return !!libc && libc.flock(fd, LOCK_EX_NB) !== 0 && lastError('flock').code === 'EAGAIN'
}

/**
 * Takes a shared flock(2) for the lifetime of the descriptor, so that `isLocked` of others is true. False if another
 * process holds an exclusive one; true on a file system without locks.
 */
export function lockShared(fd: number): boolean {
  return !libc || libc.flock(fd, LOCK_SH_NB) === 0 || lastError('flock').code !== 'EAGAIN'
}

/**
 * Runs `work` while no other call of `withFolderLock` runs for the same folder, in this or another process; waits for a
 * running one. Without a C library, and on a file system without locks, it does not wait.
 *
 * @throws errors of `work`, and of opening the folder
 */
export async function withFolderLock<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  if (!libc) return await work()
  const fd = openSync(folder, 'r')
  try {
    while (libc.flock(fd, LOCK_EX) !== 0 && lastError('flock').code === 'EINTR');
    return await work()
  } finally {
    closeSync(fd)
  }
}
