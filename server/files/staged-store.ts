/**
 * Where unfinished uploads lie: bytes in the root's private folder by @tus/file-store, state in
 * SQLite, so that both survive a restart.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { promises, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
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
export const CHECKSUM_MISMATCH = {
  status_code: 460,
  body: 'The bytes do not match their checksum.',
}

/** @tus/file-store does not say why a write failed; on a disk this full there is one reason. */
const FULL_BYTES = 64 * 1024
export const NO_SPACE = { status_code: 507, body: 'There is no space left.' }

/** What the request at hand promised of its bytes. */
export const expectedChecksum = new AsyncLocalStorage<ExpectedChecksum | undefined>()

export class StagedStore extends FileStore {
  constructor(folder: string, rows: UploadRows, expiryMs: number) {
    super({
      directory: folder,
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
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum']
  }

  /** The staged file of an upload, by its path on the disk. */
  fileOf(id: string): string {
    return join(this.directory, id)
  }

  override async create(upload: Upload): Promise<Upload> {
    await promises.writeFile(this.fileOf(upload.id), '', { mode: 0o600, flag: 'wx' })
    return upload
  }

  /**
   * Appends bytes. What came before a lost connection stays; what breaks a promise (more bytes than
   * declared, another checksum) goes again.
   */
  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const promise = expectedChecksum.getStore()
    const hash = createHash(promise?.algorithm ?? 'sha1')
    let refused: unknown
    readable.once('error', (error) => {
      refused = error
    })
    const watched = promise
      ? readable.pipe(
          new Transform({
            transform(chunk, _encoding, done) {
              hash.update(chunk)
              done(null, chunk)
            },
          }),
        )
      : readable
    try {
      const end = await super.write(watched, id, offset)
      if (promise && hash.digest('base64') !== promise.digest) throw CHECKSUM_MISMATCH
      return end
    } catch (error) {
      const tooMuch = isTusError(refused) && refused.status_code === 413
      if (tooMuch || error === CHECKSUM_MISMATCH) await promises.truncate(this.fileOf(id), offset)
      if (tooMuch) throw refused
      throw isFull(error) || this.freeBytes() < FULL_BYTES ? NO_SPACE : error
    }
  }

  /** What the file system still takes. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.directory)
    return bavail * bsize
  }
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
