/** Tells whether the folder of a recorded path is still the one that it was when the path was recorded. */
import { statfsSync } from 'node:fs'
import type { Mark } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import type { Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'

/**
 * Types of file systems (statfs(2)) in which a folder can get another inode number, after a mount or at any time: VFAT,
 * exFAT, FUSE, SMB, CIFS, SMB2, 9P.
 */
const RENUMBERING_TYPES = [
  0x4d44, 0x2011bab0, 0x65735546, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997,
]
/** Key: `dev` of a file system; value: whether its folders keep their numbers. */
const keepsNumbersByDevice = new Map<number, boolean>()

/** @returns the mark of a folder, as `markOf`; empty if its file system does not keep the numbers of folders */
export function folderMark(folder: Handle): Mark {
  const [, inode = '0'] = folder.identity().split(':')
  return keepsNumbers(folder) ? BigInt(inode).toString(16) : ''
}

/**
 * @param expected the mark that the folder of the slot must have; nothing is compared if it is not known
 * @throws Fault precondition
 */
export function requireParent({ parent }: Slot, expected: Mark | undefined): void {
  if (!expected) return
  const mark = folderMark(parent)
  if (mark === '' || mark === expected) return
  throw new Fault('precondition', 'The folder is not the one that it was.', {
    reason: 'undoMoved',
  })
}

/**
 * Whether folders of a file system have the same inode numbers as long as they exist.
 *
 * @param type of statfs(2)
 */
export function keepsInodeNumbers(type: number): boolean {
  // Some types are negative on systems of 32 bits.
  return !RENUMBERING_TYPES.includes(type >>> 0)
}

/** Whether folders of the file system of an object have the same inode numbers as long as they exist. */
export function keepsNumbers({ dev, disk }: Pick<Handle, 'dev' | 'disk'>): boolean {
  const known = keepsNumbersByDevice.get(dev)
  if (known !== undefined) return known
  const result = keepsInodeNumbers(statfsSync(disk).type)
  keepsNumbersByDevice.set(dev, result)
  return result
}
