/**
 * The bytes of unfinished uploads, in the root's private folder. Their state is in SQLite, so that both survive a
 * restart.
 */
import { createHash, type Hash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  promises,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { UploadRows } from '#server/db/rows/uploads.ts'
import { diskFull } from '#server/lib/common-faults.ts'
import { SHORT_WRITE_BYTES, ShortCalls } from '#server/lib/short-calls.ts'
import { writeAt } from '#server/os/write-at.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { UploadUse } from './upload-leases.ts'

/** Algorithms of the tus checksum extension, as its header names them. */
export const TUS_CHECKSUMS = ['sha1', 'md5', 'sha256', 'sha512'] as const

export interface ExpectedChecksum {
  algorithm: (typeof TUS_CHECKSUMS)[number]
  /** Base64. */
  digest: string
}

/** The bytes of one request. */
export interface UploadContent {
  /** The announced number of bytes; undefined if there is none. */
  announcedBytes: number | undefined
  /** The checksum that the request announced. */
  checksum: ExpectedChecksum | undefined
  /** @param stop makes the stream fail with its reason */
  open(stop: AbortSignal): ReadableStream<Uint8Array>
}

/** The content of a request without bytes. */
export const NO_CONTENT: UploadContent = {
  announcedBytes: 0,
  checksum: undefined,
  open: () => new Blob().stream(),
}

/** Thrown if the received bytes do not have the announced checksum. */
export class WrongChecksum extends Error {
  constructor() {
    super('The bytes do not match their checksum.')
  }
}

/** On a full disk, trash is deleted to make room for so many bytes at a time, not for the whole announced size. */
const RESERVE_BYTES = 16 * 1024 * 1024

/** Flags of open(2) for a staged file. */
const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW
/** So many bytes are summed up between two other events. */
const CRC_PART_BYTES = 256 * 1024
/** Length of the random part in the name of a copy. */
const COPY_NAME_BYTES = 8
/** Permission bits of a staged file. */
const MODE = 0o600

/** The trash on the same disk, which can be deleted to make room. */
export interface TrashSpace {
  /** Bytes that an upload of a user can free, as far as they are known. */
  reclaimable(userId: number): Promise<number>
  /** Deletes trash that an upload of a user may delete, until so many bytes are free. */
  makeRoomFor(bytes: number, userId: number): Promise<void>
}

/** What uploads leave free on the disk, as in server/storage/local/room/disk-reserve.ts. */
export interface UploadReserve {
  keptOn(device: number): number
  refusal(device: number): Fault
}

export class StagedStore {
  readonly #folder: string
  readonly #reserve: UploadReserve | undefined
  readonly #device: number
  readonly #rows: UploadRows
  readonly #trash: TrashSpace | undefined
  readonly #calls = new ShortCalls()

  constructor(
    folder: string,
    rows: UploadRows,
    { trash, reserve }: { trash?: TrashSpace; reserve?: UploadReserve },
  ) {
    this.#folder = folder
    this.#reserve = reserve
    this.#device = statSync(folder).dev
    this.#rows = rows
    this.#trash = trash
  }

  /** @returns the path of the staged file of an upload, which is created with its first bytes */
  fileOf(id: string): string {
    return join(this.#folder, id)
  }

  /** How many bytes have arrived, without those whose checksum is not verified yet. */
  offsetOf({ id, unverifiedFrom }: StoredUpload): number {
    if (unverifiedFrom !== undefined) return unverifiedFrom
    return statSync(this.fileOf(id), { throwIfNoEntry: false })?.size ?? 0
  }

  /**
   * @param offset as of `offsetOf`
   * @returns the CRC-32 of the bytes before it
   * @throws Fault notFound if the upload has ended in the meantime
   */
  async crc32Of({ id }: StoredUpload, offset: number): Promise<number> {
    let [sum, end] = [0, 0]
    const bytes = Buffer.allocUnsafe(CRC_PART_BYTES)
    await using file = await promises.open(this.fileOf(id), READ_FLAGS).catch((cause) => {
      throw new Fault('notFound', 'The upload has ended.', { cause })
    })
    while (end < offset) {
      const length = Math.min(bytes.length, offset - end)
      const { bytesRead } = await file.read(bytes, 0, length, end)
      if (bytesRead === 0) throw new Fault('notFound', 'The upload has ended.')
      sum = Bun.hash.crc32(bytes.subarray(0, bytesRead), sum)
      end += bytesRead
    }
    return sum
  }

  /**
   * Appends the bytes of a request. Bytes before a lost connection are kept. They are dropped if there are more than
   * declared, if the checksum does not match, or if it was not verified because the server was killed: the row stores
   * where unverified bytes begin.
   *
   * @param offset where the bytes begin, as of `offsetOf`
   * @param use of the upload by this request
   * @returns the offset after the last byte
   * @throws Fault tooLarge (more bytes than declared), noSpace; WrongChecksum; errors of the content; as
   *   `UploadUse.requireOwn`
   */
  async append(
    upload: StoredUpload,
    offset: number,
    content: UploadContent,
    use: UploadUse,
  ): Promise<number> {
    const { checksum } = content
    const { id, unverifiedFrom } = upload
    const { holder } = use
    if (unverifiedFrom !== undefined) await this.#dropFrom(id, offset, holder)
    const hash = checksum && createHash(checksum.algorithm)
    if (hash) await this.#rows.setUnverifiedFrom(id, offset, holder)
    try {
      const end = await this.#write(upload, offset, content, { hash, use })
      if (hash && hash.digest('base64') !== checksum.digest) throw new WrongChecksum()
      if (hash) await this.#rows.setUnverifiedFrom(id, undefined, holder)
      return end
    } catch (error) {
      if (hash || isFault(error, 'tooLarge')) await this.#dropFrom(id, offset, holder)
      if (isDiskFull(error)) throw diskFull({ cause: error })
      throw error
    }
  }

  /**
   * Writes bytes from `offset` on. Room on the disk is made before it is needed.
   *
   * @returns the offset after the last byte
   */
  async #write(
    { id, sizeBytes, userId }: StoredUpload,
    offset: number,
    { open, announcedBytes }: UploadContent,
    { hash, use }: { hash: Hash | undefined; use: UploadUse },
  ): Promise<number> {
    const { stop } = use
    const path = this.fileOf(id)
    let file: promises.FileHandle | undefined
    let [end, reservedBytes] = [offset, 0]
    // A later request may have begun before this one.
    stop.throwIfAborted()
    try {
      for await (const chunk of open(stop)) {
        if (end + chunk.length > sizeBytes) throw tooManyBytes()
        if (reservedBytes < chunk.length) {
          reservedBytes = Math.max(chunk.length, Math.min(sizeBytes - end, RESERVE_BYTES))
          await this.#requireRoom(reservedBytes, userId)
        }
        reservedBytes -= chunk.length
        hash?.update(chunk)
        await use.requireOwn()
        const isWhole = end === 0 && chunk.length === announcedBytes
        if (isWhole && (!use.isShared || this.#isShort(chunk))) await this.#writeWhole(path, chunk)
        else {
          file ??= await this.#open(path, use)
          await writeAt(file, chunk, end)
        }
        end += chunk.length
      }
      // An empty upload has a file, too.
      if (end === 0) file ??= await this.#open(path, use)
    } finally {
      await file?.close()
    }
    return end
  }

  /** Opens a staged file for the request that uses the upload also after that. */
  async #open(path: string, use: UploadUse): Promise<promises.FileHandle> {
    const file = await promises.open(path, FLAGS, MODE)
    try {
      await use.requireOwn()
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  }

  /** Writes all bytes of a staged file. */
  async #writeWhole(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#isShort(bytes)) this.#calls.run(() => writeHere(path, bytes))
    // One call of another thread takes less time than three.
    else await promises.writeFile(path, bytes, { flag: FLAGS, mode: MODE })
  }

  /** Whether the main thread opens and writes the file in one step, in which no other request can replace it. */
  #isShort(bytes: Uint8Array): boolean {
    return bytes.length <= SHORT_WRITE_BYTES && !this.#calls.areSlow
  }

  /** Truncates the staged file to `offset` bytes, unless another request uses the upload now. */
  async #dropFrom(id: string, offset: number, holder: string | undefined): Promise<void> {
    const path = this.fileOf(id)
    if (existsSync(path)) {
      const file = await promises.open(path, constants.O_WRONLY | constants.O_NOFOLLOW)
      try {
        // Another request continues with another file under this name (`separate`).
        if (holder === undefined || (await this.#rows.leaseOf(id))?.holder === holder)
          await file.truncate(offset)
      } finally {
        await file.close()
      }
    }
    await this.#rows.setUnverifiedFrom(id, undefined, holder)
  }

  /**
   * Replaces the staged file by a copy of it. What a process has open is not a part of the upload any more.
   *
   * @param requireOwn throws if another request uses the upload now
   * @throws Fault noSpace; system errors; what `requireOwn` throws
   */
  async separate(id: string, requireOwn: () => Promise<void>): Promise<void> {
    const file = this.fileOf(id)
    const copy = `${file}.${randomBytes(COPY_NAME_BYTES).toString('hex')}`
    try {
      await promises.copyFile(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      await requireOwn()
      renameSync(copy, file)
    } catch (error) {
      await promises.rm(copy, { force: true })
      // No byte has arrived.
      if (errorCode(error) === 'ENOENT') return
      throw isDiskFull(error) ? diskFull({ cause: error }) : error
    }
  }

  /** Removes a staged file. A folder of that name was created by someone else and is kept. */
  remove(id: string): void {
    const file = this.fileOf(id)
    if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory()) return
    rmSync(file, { force: true })
  }

  /**
   * Makes room before bytes are written.
   *
   * @throws Fault noSpace (only the reserve is left; if there is none, the write itself fails)
   */
  async #requireRoom(bytes: number, userId: number): Promise<void> {
    const kept = this.#reserve?.keptOn(this.#device) ?? 0
    if (this.#freeBytes() - kept >= bytes) return
    if (Number.isFinite(kept)) await this.#trash?.makeRoomFor(kept + bytes, userId)
    if (kept > 0 && this.#freeBytes() < kept) throw this.#reserve?.refusal(this.#device)
  }

  /** How many bytes fit, if trash that an upload of the user may delete is deleted. */
  async availableBytes(userId: number): Promise<number> {
    const { blocks, bfree, bavail, bsize } = statfsSync(this.#folder)
    const free = bavail * bsize - (this.#reserve?.keptOn(this.#device) ?? 0)
    // Files can share blocks: no more can be freed than is used.
    const reclaimable = Math.min(
      (await this.#trash?.reclaimable(userId)) ?? 0,
      (blocks - bfree) * bsize,
    )
    return free + reclaimable
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.#folder)
    return bavail * bsize
  }
}

function writeHere(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, FLAGS, MODE)
  try {
    writeFileSync(fd, bytes)
  } finally {
    closeSync(fd)
  }
}

/** The fault for a request with more bytes than its upload declared. */
export function tooManyBytes(): Fault {
  return new Fault('tooLarge', 'The request contains more bytes than were declared.')
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(errorCode(error))
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
