/**
 * Uploads that are published on another file system than they were staged on. Their bytes are copied there,
 * and the staged ones go when the copy has its name. A kill between the two must not publish the upload
 * once more, over what was saved since: a record beside the copy says whose it is.
 */
import { constants, promises, readSync, renameSync, rmSync } from 'node:fs'
import { type Staged, statsAt } from './atomic.ts'
import type { Handle } from './handle.ts'
import { filledFolder, readRecord, writeRecord } from './own-folder.ts'

const HANDOVER_PREFIX = 'handover-'
const THING = 'thing'
const UPLOAD = 'upload'
const CHUNK_BYTES = 256 * 1024

/** A copy that is about to be published in place of an upload. */
export interface Handover extends Staged {
  /** Removes the record, and what lies under the staged name by now. */
  end(): Promise<void>
}

/**
 * Writes down that a staged copy is a whole upload's.
 *
 * @param copy complete and forced to the disk, in `own`; it is renamed
 * @param upload the name of the file that it was copied from, in the folder of uploads
 */
export function handOver(copy: Staged, upload: string, own: Handle): Handover {
  const { folder, name } = filledFolder(own, HANDOVER_PREFIX, (folder) => {
    renameSync(copy.parent.at(copy.name), folder.at(THING))
    writeRecord(folder, UPLOAD, `${upload} ${inodeOf(folder)}`)
  })
  return {
    parent: folder,
    name: THING,
    async end() {
      folder.close()
      await promises.rm(own.at(name), { recursive: true, force: true })
    },
  }
}

export function isHandover(name: string): boolean {
  return name.startsWith(HANDOVER_PREFIX)
}

/**
 * Finishes what a process that is gone has left: an upload whose copy was published is not staged any more.
 *
 * @param left the folder of that process
 */
export function finishHandover(left: Handle, name: string, uploads: Handle): void {
  try {
    using folder = left.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    const [upload = '', inode] = readRecord(folder, UPLOAD).split(' ')
    if (!/^[\w-]+$/.test(upload)) return
    const isThere = inodeOf(folder) === inode || hasSameBytes(folder, uploads, upload)
    if (!isThere) rmSync(uploads.at(upload), { force: true })
  } catch {
    // No record, or no upload: the copy was not complete, or all was done.
  }
}

/** The copy's inode while it is there; after an exchange, that of the file it has replaced. */
function inodeOf(folder: Handle): string {
  return `${statsAt({ parent: folder, name: THING })?.ino}`
}

/** Whether the copy and the upload are alike: some file systems give inodes other numbers at each start. */
function hasSameBytes(folder: Handle, uploads: Handle, upload: string): boolean {
  if (!folder.names().includes(THING)) return false
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  using copy = folder.child(THING, flags)
  using original = uploads.child(upload, flags)
  const { size } = original.stat()
  if (copy.stat().size !== size) return false
  const [one, other] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)]
  for (let at = 0; at < size; at += CHUNK_BYTES) {
    const [read, alike] = [
      readSync(copy.fd, one, 0, CHUNK_BYTES, at),
      readSync(original.fd, other, 0, CHUNK_BYTES, at),
    ]
    if (read !== alike || one.compare(other, 0, alike, 0, read) !== 0) return false
  }
  return true
}
