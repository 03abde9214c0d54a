/**
 * Where unfinished uploads lie: bytes in the root's private folder by @tus/file-store, state in
 * SQLite, so that both survive a restart.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, type Hash } from 'node:crypto'
import { promises, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { addAbortSignal, Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { Upload } from '@tus/server'
import type { UploadRows } from '#server/db/uploads.ts'

/** Algorithms of the tus checksum extension, as its header names them. */
export const TUS_CHECKSUMS = ['sha1', 'md5', 'sha256', 'sha512'] as const

export interface ExpectedChecksum {
  algorithm: (typeof TUS_CHECKSUMS)[number]
  /** Base64. */
  digest: string
}

/** The tus checksum extension's answer to bytes that do not match. */
const CHECKSUM_MISMATCH = {
  status_code: 460,
  body: 'The bytes do not match their checksum.',
}

/** @tus/file-store does not say why a write failed; on a disk this full there is one reason. */
const FULL_BYTES = 64 * 1024
export const NO_SPACE = { status_code: 507, body: 'There is no space left.' }

/** Room is made for so many bytes that are about to come, and not for what is only announced. */
const AHEAD_BYTES = 16 * 1024 * 1024

/** What the trash of the same disk can give back. */
export interface Room {
  /** Bytes, as far as they are known. */
  reclaimable(): number
  /** Removes what so many new bytes need. */
  make(bytes: number): Promise<void>
}

/** What the store has to know of the request at hand. */
export interface Writing {
  /** What the request promised of its bytes. */
  checksum: ExpectedChecksum | undefined
  /** Another request wants the upload, or this one may not go on. */
  stop: AbortSignal
}

/** @tus/server hands the store nothing but the bytes. */
export const writing = new AsyncLocalStorage<Writing>()

export class StagedStore extends FileStore {
  readonly #rows: UploadRows
  readonly #room: Room | undefined

  constructor(folder: string, rows: UploadRows, expiryMs: number, room: Room | undefined) {
    super({
      // It makes its folder without waiting for it: a failure would reach nobody who can catch it.
      directory: '/',
      expirationPeriodInMilliseconds: expiryMs,
      configstore: {
        // The row is made by whoever accepts the upload; tus itself has nothing to add to it.
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
              // Expiry counts from the last sign of life.
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

  /** The staged file of an upload, by its path on the disk. */
  fileOf(id: string): string {
    return join(this.directory, id)
  }

  override async create(upload: Upload): Promise<Upload> {
    // The runtime writes a whole small file on the thread that answers, and opens one elsewhere.
    const file = await promises.open(this.fileOf(upload.id), 'wx', 0o600)
    await file.close()
    return upload
  }

  /** An upload as far as it counts: bytes behind an unfinished comparison are not there. */
  override async getUpload(id: string): Promise<Upload> {
    const upload = await super.getUpload(id)
    upload.offset = this.#rows.find(id)?.unverifiedFrom ?? upload.offset
    return upload
  }

  /**
   * Appends bytes. What came before a lost connection stays. It goes again when it breaks a promise
   * (more bytes than declared, another checksum), and when nobody can tell any more whether it keeps
   * one: the row says where bytes begin that are not compared yet, so that none of them count, not
   * even after the process was killed.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const { checksum, stop } = writing.getStore() ?? {}
    const hash = checksum && createHash(checksum.algorithm)
    let refused: unknown
    readable.once('error', (error) => {
      refused = error
    })
    if (stop) addAbortSignal(stop, readable)
    if (this.#rows.find(id)?.unverifiedFrom !== undefined) await this.#dropFrom(id, offset)
    if (hash) await this.#rows.setUnverifiedFrom(id, offset)
    const left = (this.#rows.find(id)?.sizeBytes ?? offset) - offset
    const roomy = this.#room ? withRoomAhead(readable, left, this.#room) : readable
    try {
      const end = await super.write(hash ? hashed(roomy, hash) : roomy, id, offset)
      if (hash && hash.digest('base64') !== checksum.digest) throw CHECKSUM_MISMATCH
      if (hash) await this.#rows.setUnverifiedFrom(id, undefined)
      return end
    } catch (error) {
      const tooMuch = isTusError(refused) && refused.status_code === 413
      if (tooMuch || hash) await this.#dropFrom(id, offset)
      if (tooMuch) throw refused
      if (error === CHECKSUM_MISMATCH || stop?.aborted) throw error
      throw isFull(error) || this.freeBytes() < FULL_BYTES ? NO_SPACE : error
    }
  }

  /** Takes bytes back that do not count. */
  async #dropFrom(id: string, offset: number): Promise<void> {
    await promises.truncate(this.fileOf(id), offset)
    await this.#rows.setUnverifiedFrom(id, undefined)
  }

  /** Whether so many bytes fit in, at the cost of the trash. */
  fits(bytes: number): boolean {
    return bytes <= this.freeBytes() + (this.#room?.reclaimable() ?? 0)
  }

  /** What the file system still takes. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.directory)
    return bavail * bsize
  }
}

/** The same bytes, for which room is made on their way. A source that fails fails this too. */
function withRoomAhead(readable: Readable, bytes: number, room: Room): Readable {
  return Readable.from(
    (async function* () {
      let [left, ahead] = [bytes, 0]
      for await (const chunk of readable) {
        if (ahead < chunk.length) {
          ahead = Math.max(chunk.length, Math.min(left, AHEAD_BYTES))
          await room.make(ahead)
        }
        ahead -= chunk.length
        left -= chunk.length
        yield chunk
      }
    })(),
    { objectMode: false },
  )
}

/** The same bytes, which `hash` sees on their way. A source that fails or breaks off fails this too. */
function hashed(readable: Readable, hash: Hash): Readable {
  return Readable.from(
    (async function* () {
      for await (const chunk of readable) {
        hash.update(chunk)
        yield chunk
      }
    })(),
    { objectMode: false },
  )
}

/** Whether something thrown says that the disk is full. */
export function isFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Whether something thrown is one of tus's own errors. */
export function isTusError(error: unknown): error is { status_code: number; body: string } {
  return typeof error === 'object' && error !== null && 'status_code' in error && 'body' in error
}
