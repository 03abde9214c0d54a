/**
 * Publishes uploads on another file system than the one they were staged on. The bytes are copied there, and the
 * staged file is removed after the copy is published. A record beside the copy names its upload, so that after a
 * crash in between the upload is not published again over a newer file.
 */
import { constants, promises, readSync, renameSync, rmSync } from 'node:fs'
import { lstatAt, type Staged } from './atomic.ts'
import type { Handle } from './handle.ts'
import { createFilledFolder, readRecord, writeRecord } from './own-folder.ts'

const HANDOVER_PREFIX = 'handover-'
/** The name of the item in such a folder. Earlier versions use it too, so it must not change. */
const CONTENT = 'thing'
const UPLOAD = 'upload'
const CHUNK_BYTES = 256 * 1024

/** A copy that is about to be published in place of an upload. */
export interface Handover extends Staged {
  /** Removes the record, and the file that is under the staged name by then. */
  end(): Promise<void>
}

/**
 * Records that a staged copy is a complete upload.
 *
 * @param copy complete and flushed, in `own`; it is renamed
 * @param upload the name of the file that it was copied from, in the folder of uploads
 */
export function handOver(copy: Staged, upload: string, processFolder: Handle): Handover {
  const { folder, name } = createFilledFolder(processFolder, HANDOVER_PREFIX, (folder) => {
    renameSync(copy.parent.at(copy.name), folder.at(CONTENT))
    writeRecord(folder, UPLOAD, `${upload} ${inodeOf(folder)}`)
  })
  return {
    parent: folder,
    name: CONTENT,
    async end() {
      folder.close()
      await promises.rm(processFolder.at(name), { recursive: true, force: true })
    },
  }
}

export function isHandover(name: string): boolean {
  return name.startsWith(HANDOVER_PREFIX)
}

/**
 * After a crash, removes the staged upload if its copy was published.
 *
 * @param folder the folder of the process that has ended
 */
export function finishHandover(processFolder: Handle, name: string, uploads: Handle): void {
  try {
    using folder = processFolder.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    const [upload = '', inode] = readRecord(folder, UPLOAD).split(' ')
    if (!/^[\w-]+$/.test(upload)) return
    const isThere = inodeOf(folder) === inode || hasSameBytes(folder, uploads, upload)
    if (!isThere) rmSync(uploads.at(upload), { force: true })
  } catch {
    // No record or no upload: the copy was incomplete, or everything was done.
  }
}

/** @returns the inode of the copy; after an exchange, that of the replaced file */
function inodeOf(folder: Handle): string {
  return `${lstatAt({ parent: folder, name: CONTENT })?.ino}`
}

/** Compares the copy with the upload, because some file systems change inode numbers at each mount. */
function hasSameBytes(folder: Handle, uploads: Handle, upload: string): boolean {
  if (!folder.names().includes(CONTENT)) return false
  const flags = constants.O_RDONLY | constants.O_NONBLOCK
  using copy = folder.child(CONTENT, flags)
  using original = uploads.child(upload, flags)
  const { size } = original.stat()
  if (copy.stat().size !== size) return false
  const [copyBuffer, originalBuffer] = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)]
  for (let offset = 0; offset < size; offset += CHUNK_BYTES) {
    const [read, alike] = [
      readSync(copy.fd, copyBuffer, 0, CHUNK_BYTES, offset),
      readSync(original.fd, originalBuffer, 0, CHUNK_BYTES, offset),
    ]
    if (read !== alike || copyBuffer.compare(originalBuffer, 0, alike, 0, read) !== 0) return false
  }
  return true
}
