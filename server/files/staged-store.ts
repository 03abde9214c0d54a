/**
 * Stores unfinished uploads: bytes in the root's private folder by @tus/file-store, state in SQLite, so that both
 * survive a restart.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, type Hash } from 'node:crypto'
import { promises, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { UploadRows } from '#server/db/uploads.ts'
import { freeBytes } from '#server/received-bytes.ts'

/** Algorithms of the tus checksum extension, as its header names them. */
export const TUS_CHECKSUMS = ['sha1', 'md5', 'sha256', 'sha512'] as const

export interface ExpectedChecksum {
  algorithm: (typeof TUS_CHECKSUMS)[number]
  /** Base64. */
  digest: string
}

/** The tus checksum extension's response to bytes that do not match. */
const CHECKSUM_MISMATCH = {
  status_code: 460,
  body: 'The bytes do not match their checksum.',
}

/** @tus/file-store does not report why a write failed; with less free space than this the disk is full. */
const FULL_BYTES = 64 * 1024
export const NO_SPACE = { status_code: 507, body: 'There is no space left.' }

/** Trash is deleted for the next so many bytes, and not for the whole announced size. */
const RESERVE_BYTES = 16 * 1024 * 1024

/** The trash on the same disk, which can be deleted to make room. */
export interface TrashSpace {
  /** Bytes that can be freed, as far as they are known. */
  reclaimable(): number
  /** Frees room for so many bytes. */
  make(bytes: number): Promise<void>
}

/** The context of a write. */
export interface WriteContext {
  /** The checksum that the request announced. */
  checksum: ExpectedChecksum | undefined
  /** Aborted if another request takes over the upload, or this one must end. */
  stop: AbortSignal
  /** Called at the end, also of a write that fails, with how much has arrived. */
  received?: ((bytes: number) => void) | undefined
}

/** Passed by AsyncLocalStorage, because @tus/server hands only the bytes to the store. */
export const writeContext = new AsyncLocalStorage<WriteContext>()

export class StagedStore extends FileStore {
  readonly #rows: UploadRows
  readonly #room: TrashSpace | undefined

  constructor(folder: string, rows: UploadRows, expiryMs: number, room: TrashSpace | undefined) {
    super({
      // Its constructor creates the folder without awaiting it; an error would be unhandled. '/' always exists.
      directory: '/',
      expirationPeriodInMilliseconds: expiryMs,
      configstore: {
        // The row is created by `Uploads.create`; tus has nothing to add.
        set: async () => undefined,
        delete: async (id) => rows.remove(id),
        get: async (id) => {
          const row = rows.find(id)
          return (
            row &&
            new Upload({
              id,
              size: row.sizeBytes,
              offset: 0,
              metadata: row.metadata,
              // The expiry counts from the last activity.
              creation_date: new Date(row.touchedMs).toISOString(),
            })
          )
        },
      },
    })
    this.directory = folder
    this.#rows = rows
    this.#room = room
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum']
  }

  /** @returns the path of the staged file of an upload */
  fileOf(id: string): string {
    return join(this.directory, id)
  }

  override async create(upload: Upload): Promise<Upload> {
    // Bun writes a small file synchronously, but opens one in a thread.
    const file = await promises.open(this.fileOf(upload.id), 'wx', 0o600)
    await file.close()
    return upload
  }

  /** The offset excludes bytes whose checksum is not verified yet. */
  override async getUpload(id: string): Promise<Upload> {
    const upload = await super.getUpload(id)
    upload.offset = this.#rows.find(id)?.unverifiedFrom ?? upload.offset
    return upload
  }

  /**
   * Appends bytes. Bytes before a lost connection are kept. They are dropped if there are more than declared, if the
   * checksum does not match, or if it was not verified because the server was killed: the row stores where unverified
   * bytes begin.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const { checksum, stop, received } = writeContext.getStore() ?? {}
    const hash = checksum && createHash(checksum.algorithm)
    let sourceError: unknown
    readable.once('error', (error) => {
      sourceError = error
    })
    if (stop) addAbortSignal(stop, readable)
    if (this.#rows.find(id)?.unverifiedFrom !== undefined) await this.#dropFrom(id, offset)
    if (hash) await this.#rows.setUnverifiedFrom(id, offset)
    try {
      const end = await this.#append(readable, id, offset, hash).finally(() =>
        received?.(this.#sizeOf(id) - offset),
      )
      if (hash && hash.digest('base64') !== checksum.digest) throw CHECKSUM_MISMATCH
      if (hash) await this.#rows.setUnverifiedFrom(id, undefined)
      return end
    } catch (error) {
      const tooMuch = isTusError(sourceError) && sourceError.status_code === 413
      if (tooMuch || hash) await this.#dropFrom(id, offset)
      if (tooMuch) throw sourceError
      if (error === CHECKSUM_MISMATCH || stop?.aborted) throw error
      throw isDiskFull(error) || this.freeSpace() < FULL_BYTES ? NO_SPACE : error
    }
  }

  /**
   * Writes bytes from `offset` on. Room on the disk is made before it is needed.
   *
   * @returns the offset after the last byte
   */
  async #append(
    readable: Readable,
    id: string,
    offset: number,
    hash: Hash | undefined,
  ): Promise<number> {
    await using file = await promises.open(this.fileOf(id), 'r+')
    let expectedBytes = (this.#rows.find(id)?.sizeBytes ?? offset) - offset
    let [end, reservedBytes] = [offset, 0]
    for await (const chunk of readable as AsyncIterable<Buffer>) {
      if (reservedBytes < chunk.length) {
        reservedBytes = Math.max(chunk.length, Math.min(expectedBytes, RESERVE_BYTES))
        await this.#room?.make(reservedBytes)
      }
      reservedBytes -= chunk.length
      expectedBytes -= chunk.length
      hash?.update(chunk)
      for (let done = 0; done < chunk.length; ) {
        done += (await file.write(chunk, done, chunk.length - done, end + done)).bytesWritten
      }
      end += chunk.length
      freeBytes(chunk)
    }
    return end
  }

  #sizeOf(id: string): number {
    return statSync(this.fileOf(id), { throwIfNoEntry: false })?.size ?? 0
  }

  /** Truncates the staged file to `offset` bytes. */
  async #dropFrom(id: string, offset: number): Promise<void> {
    await promises.truncate(this.fileOf(id), offset)
    await this.#rows.setUnverifiedFrom(id, undefined)
  }

  /** Whether so many bytes fit, if the trash is deleted. */
  fits(bytes: number): boolean {
    return bytes <= this.freeSpace() + (this.#room?.reclaimable() ?? 0)
  }

  /** Free bytes of the file system. */
  freeSpace(): number {
    const { bavail, bsize } = statfsSync(this.directory)
    return bavail * bsize
  }
}

/** Whether an error means that the disk is full. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Whether an error is one of tus. */
export function isTusError(error: unknown): error is { status_code: number; body: string } {
  return typeof error === 'object' && error !== null && 'status_code' in error && 'body' in error
}
