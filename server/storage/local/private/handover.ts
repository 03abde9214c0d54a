/**
 * Publishes an upload on another file system than the one that it was staged on. It is copied to that file system, and
 * the staged file is removed after the copy is published. A record beside the copy names the upload. After a crash
 * between publication and removal, the record prevents a second publication of the upload over a newer file.
 */
import { constants, readSync, renameSync, rmSync } from 'node:fs'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { createFilledFolder, readRecord, writeRecord } from '../attributes/own-folder.ts'
import { lstatAt, type Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'

/** Prefix of a folder that holds one copy and its record; it is in the folder of the process. */
const HANDOVER_PREFIX = 'handover-'
/** The name of the copy in that folder. Earlier versions use it too, so it must not change. */
const CONTENT = 'thing'
/** In that folder: a record with the name of the upload and the inode of the copy. */
const UPLOAD = 'upload'
const CHUNK_BYTES = 256 * 1024

/** A copy that is about to be published in place of an upload. */
export interface Handover extends Slot {
  /** Removes the record with its folder. After an exchange of names that folder holds the replaced file. */
  end(): Promise<void>
}

/**
 * Records that a staged copy is a complete upload.
 *
 * @param copy complete and flushed, in `processFolder`; it is renamed
 * @param upload the name of the original in the folder of uploads
 * @param processFolder the folder of this process in a private folder
 */
export function handOver(copy: Slot, upload: string, processFolder: Handle): Handover {
  const { folder, name } = createFilledFolder(processFolder, HANDOVER_PREFIX, (folder) => {
    renameSync(copy.parent.at(copy.name), folder.at(CONTENT))
    writeRecord(folder, UPLOAD, `${upload} ${inodeOf(folder)}`)
  })
  return {
    parent: folder,
    name: CONTENT,
    async end() {
      folder.close()
      await fileCalls.rm(processFolder.at(name), { recursive: true, force: true })
    },
  }
}

export function isHandover(name: string): boolean {
  return name.startsWith(HANDOVER_PREFIX)
}

/**
 * After a crash, removes the staged upload if its copy was published.
 *
 * @param processFolder the folder of the process that has ended
 * @param name of the folder with the copy and the record
 * @param uploads the folder of unfinished uploads
 */
export function finishHandover(processFolder: Handle, name: string, uploads: Handle): void {
  try {
    using folder = processFolder.child(name, constants.O_RDONLY | O_DIRECTORY)
    const [upload = '', inode] = readRecord(folder, UPLOAD).split(' ')
    if (!/^[\w-]+$/.test(upload)) return
    const isUnpublished = inodeOf(folder) === inode || hasSameBytes(folder, uploads, upload)
    if (!isUnpublished) rmSync(uploads.at(upload), { force: true })
  } catch {
    // There is no record or no upload: the copy was incomplete, or the upload is already removed.
  }
}

/** @returns the inode of the copy; after an exchange, that of the replaced file */
function inodeOf(folder: Handle): string {
  return `${lstatAt({ parent: folder, name: CONTENT })?.ino}`
}

/** Whether copy and upload are equal. Needed because some file systems change inode numbers at each mount. */
function hasSameBytes(folder: Handle, uploads: Handle, upload: string): boolean {
  if (!folder.names().includes(CONTENT)) return false
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  using copy = folder.child(CONTENT, flags)
  using original = uploads.child(upload, flags)
  const { size } = original.stat()
  if (copy.stat().size !== size) return false
  const [copyBuffer, originalBuffer] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)]
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    const [copyLength, originalLength] = [
      readSync(copy.fd, copyBuffer, 0, CHUNK_BYTES, offset),
      readSync(original.fd, originalBuffer, 0, CHUNK_BYTES, offset),
    ]
    if (copyLength !== originalLength) return false
    if (copyBuffer.compare(originalBuffer, 0, originalLength, 0, copyLength) !== 0) return false
  }
  return true
}
