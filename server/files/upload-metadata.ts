/** What a tus client says about its file: the Upload-Metadata header, and what we make of it. */

import { Metadata } from '@tus/server'
import { sentTime } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'

export type UploadMetadata = Record<string, string | null>

/** Reads the header; an absent one says nothing. @throws Fault badRequest */
export function parseMetadata(header: string | undefined): UploadMetadata {
  if (!header) return {}
  if (header.length > LIMITS.uploadMetadataMaxBytes) {
    throw new Fault(
      'badRequest',
      `Upload-Metadata is longer than ${LIMITS.uploadMetadataMaxBytes} bytes`,
    )
  }
  try {
    return Metadata.parse(header)
  } catch {
    throw new Fault('badRequest', 'Upload-Metadata is not well formed')
  }
}

/** Where a client that knows no path wants its file. @throws Fault badRequest */
export function pathInMetadata(metadata: UploadMetadata): TreePath {
  const path = parsePath(metadata.relativePath || metadata.filename || metadata.name || '')
  if (path === ROOT) throw new Fault('badRequest', 'Upload-Metadata must hold a filename')
  return path
}

/** The client's modification time, in milliseconds; undefined when it sent none. */
export function lastModified(metadata: UploadMetadata): number | undefined {
  return sentTime(metadata.lastModified ?? undefined)
}
