/** Parses the Upload-Metadata header of tus. */

import { Metadata } from '@tus/server'
import { sentTime } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'

export type UploadMetadata = Record<string, string | null>

/**
 * Parses the header; an absent one is empty.
 *
 * @throws Fault badRequest (too long or malformed)
 */
export function parseMetadata(header: string | undefined): UploadMetadata {
  if (!header) return {}
  if (header.length > LIMITS.uploadMetadataMaxBytes) {
    throw new Fault(
      'badRequest',
      `The header Upload-Metadata is longer than ${LIMITS.uploadMetadataMaxBytes} bytes.`,
    )
  }
  try {
    return Metadata.parse(header)
  } catch {
    throw new Fault('badRequest', 'The header Upload-Metadata is not well formed.')
  }
}

/**
 * @returns the path from the metadata, for clients that post to the base address
 * @throws Fault badRequest (no file name)
 */
export function pathInMetadata(metadata: UploadMetadata): TreePath {
  const path = parsePath(metadata.relativePath || metadata.filename || metadata.name || '')
  if (path === ROOT)
    throw new Fault('badRequest', 'The header Upload-Metadata must contain a filename.')
  return path
}

/** @returns the client's modification time in milliseconds; undefined if it sent none */
export function lastModified(metadata: UploadMetadata): number | undefined {
  return sentTime(metadata.lastModified ?? undefined)
}
