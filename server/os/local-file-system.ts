/** Tells file systems on which one machine sees all locks from those that other machines, or other mounts, share. */
import { statfsSync } from 'node:fs'

/** Magic numbers (statfs(2)) of file systems that only one machine mounts, and whose mounts share their locks. */
const LOCAL: readonly number[] = [
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0xca451a4e, // bcachefs
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x794c7630, // overlay
  0x4d44, // FAT
  0x2011bab0, // exFAT
  0x7366746e, // NTFS
  0x482b, // HFS+
  0x3153464a, // JFS
  0x52654973, // ReiserFS
  0x3434, // NILFS
  0x24051905, // UBIFS
  0x72b6, // JFFS2
]
const UNSIGNED_32 = 0xffffffff

/**
 * Whether a lock on a file or folder of this file system is seen by all processes that can use the file. False for
 * network file systems, for those in user space (FUSE), and for unknown ones.
 *
 * @throws system errors
 */
export function sharesLocks(path: string | Buffer): boolean {
  return LOCAL.includes(Number(BigInt(statfsSync(path).type) & BigInt(UNSIGNED_32)))
}
