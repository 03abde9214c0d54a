/** Where a flush of a whole file system (syncfs(2)) is as safe as flushes of its files. */
import { statfsSync } from 'node:fs'
import { release } from 'node:os'

/** Types of statfs(2): ext4, XFS, Btrfs, F2FS, tmpfs. Network and overlay file systems guarantee less. */
const KNOWN_TYPES = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994]
/** The first kernel version that reports lost writes. */
const [MAJOR, MINOR] = [5, 8]

/**
 * Whether a flush of the whole file system guarantees as much as flushes of its files.
 *
 * @param path a path on it
 */
export function syncsAsWhole(path: string | Buffer): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  if (process.platform !== 'linux') return false
  if (major < MAJOR || (major === MAJOR && minor < MINOR)) return false
  try {
    return KNOWN_TYPES.includes(statfsSync(path).type)
  } catch {
    return false
  }
}
