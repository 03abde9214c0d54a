/** How a request identifies an upload, and what the response contains. */
import type { StoredUpload } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'

/** Identifies an upload of a user. */
export interface UploadAddress {
  path: TreePath
  /** If it is undefined, the path alone identifies the upload. */
  id: string | undefined
}

/** An upload, and how many of its bytes have arrived. */
export interface UploadState {
  upload: StoredUpload
  offset: number
  /** When the upload is deleted unless it is continued, in milliseconds since 1970; undefined if it is complete. */
  expiresMs: number | undefined
  /** Whether this request has published the file: one request does, and an upload is recorded once. */
  hasPublished: boolean
}

/** The fault for an upload that does not exist, or is not of this user. */
export function noUpload(): Fault {
  return new Fault('notFound', 'There is no unfinished upload to this path.')
}
