/** Locks on open files (flock(2)), which end with their descriptor. */
import { failure, libc } from './libc.ts'

const LOCK_SH_NB = 1 | 4
const LOCK_EX_NB = 2 | 4

/** Takes an exclusive flock(2) that lasts as long as the descriptor; false when another holds it. */
export function tryLock(fd: number): boolean {
  return libc ? libc.flock(fd, LOCK_EX_NB) === 0 : true
}

/**
 * Takes a shared flock(2), as long as the descriptor lasts: `tryLock` of others fails meanwhile. False
 * when another holds an exclusive one; a file system without locks locks nobody out.
 */
export function lockShared(fd: number): boolean {
  return !libc || libc.flock(fd, LOCK_SH_NB) === 0 || failure('flock').code !== 'EAGAIN'
}
