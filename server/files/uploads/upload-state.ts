/** How a request identifies an upload, and what the response contains. */
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { UploadMetadata } from './upload-metadata.ts'

/** Identifies an upload of a user. */
export interface UploadAddress {
  path: TreePath
  /** If it is undefined, the path alone identifies the upload, as long as it is unfinished. */
  id: string | undefined
  /** The session of the request. */
  session: string
}

/** A requested new upload. */
export interface NewUpload {
  path: TreePath
  overwrite: boolean
  sizeBytes: number
  metadata: UploadMetadata
  /** The session of the request. */
  session: string
}

/** What is known about the file of an upload after a request. */
export interface PublishedFile {
  /** Whether this request has published the file: one request does, and an upload is recorded once. */
  hasPublished: boolean
  /** `Node.version` of the published file, if it is known. */
  version: string | undefined
}

/** An upload, and how many of its bytes have arrived. */
export interface UploadState extends PublishedFile {
  upload: StoredUpload
  offset: number
  /** When the upload is deleted unless it is continued, in milliseconds since 1970; undefined if it is complete. */
  expiresMs: number | undefined
}

/** The fault for an upload that does not exist, or is not of this user. */
export function noUpload(): Fault {
  return new Fault('notFound', 'There is no unfinished upload to this path.')
}
