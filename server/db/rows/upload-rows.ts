/** Uploads in the database: rows ↔ StoredUpload. */
import type { TreePath } from '#wire/paths.ts'
import type { RowValues } from '../insert-row.ts'

export interface StoredUpload {
  id: string
  /** The path of the served folder on the disk; one database may hold several. */
  root: string
  userId: number
  /** The destination in the user's scope. */
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  /** tus Upload-Metadata, decoded. */
  metadata: Record<string, string | null>
  createdMs: number
  touchedMs: number
  /** Whether it replaced an unfinished upload to the same path, so that the path alone is ambiguous. */
  isPathAmbiguous: boolean
  /** Whether all bytes have arrived, and publication has started or ended. */
  hasPublicationBegun: boolean
  /** The offset of bytes whose checksum is not verified yet; undefined if there are none. */
  unverifiedFrom: number | undefined
  /** The session that began the upload; after its publication, the one that published it. */
  session: string
  /** Identifies the published file (server/files/uploads/finished-upload.ts); empty until publication begins. */
  published: string
  /** The request that uses it (upload-leases.ts); empty if there is none. */
  holder: string
}

/** An upload with its owner. */
export interface OwnedUpload extends StoredUpload {
  username: string
  /** The folder of the owner. */
  scope: string
}

export interface UploadRow {
  id: string
  root: string
  user_id: number
  path: string
  overwrite: number
  size_bytes: number
  metadata: string
  created_ms: number
  touched_ms: number
  contested: number
  handed_over: number
  unverified_from: number | null
  session: string
  published: string
  holder: string
}

export function rowOf(upload: StoredUpload): RowValues {
  return {
    id: upload.id,
    root: upload.root,
    user_id: upload.userId,
    path: upload.path,
    overwrite: upload.overwrite,
    size_bytes: upload.sizeBytes,
    metadata: JSON.stringify(upload.metadata),
    created_ms: upload.createdMs,
    touched_ms: upload.touchedMs,
    contested: upload.isPathAmbiguous,
    handed_over: upload.hasPublicationBegun,
    unverified_from: upload.unverifiedFrom ?? null,
    session: upload.session,
    published: upload.published,
    holder: upload.holder,
  }
}

export function toUpload(row: UploadRow): StoredUpload {
  return {
    id: row.id,
    root: row.root,
    userId: row.user_id,
    // Written only from a TreePath.
    path: row.path as TreePath,
    overwrite: row.overwrite === 1,
    sizeBytes: row.size_bytes,
    metadata: JSON.parse(row.metadata),
    createdMs: row.created_ms,
    touchedMs: row.touched_ms,
    isPathAmbiguous: row.contested === 1,
    hasPublicationBegun: row.handed_over === 1,
    unverifiedFrom: row.unverified_from ?? undefined,
    session: row.session,
    published: row.published,
    holder: row.holder,
  }
}
