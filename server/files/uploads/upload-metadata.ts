/** Parses the Upload-Metadata header of tus. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { sentTime } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT, type TreePath } from '#wire/paths.ts'

export type UploadMetadata = Record<string, string | null>

/** A name of ASCII characters, and a value in groups of four. */
const PAIR =
  /^([\x21-\x2b\x2d-\x7e]+)(?: ((?:[\d+/A-Za-z]{4})*(?:[\d+/A-Za-z]{2}==|[\d+/A-Za-z]{3}=)?))?$/

/**
 * Parses the header, as in tus 1.0: names with values in base64, or without values, separated by commas. An absent
 * header is empty.
 *
 * @throws Fault badRequest (too long or malformed)
 */
export function parseMetadata(header: string | undefined): UploadMetadata {
  if (!header) return {}
  if (header.length > SERVER_LIMITS.uploadMetadataMaxBytes) {
    throw new Fault(
      'badRequest',
      `The header Upload-Metadata is longer than ${SERVER_LIMITS.uploadMetadataMaxBytes} bytes.`,
    )
  }
  const pairs = header.split(',').map((pair) => PAIR.exec(pair) ?? [])
  const names = new Set(pairs.map(([, name]) => name))
  if (names.has(undefined) || names.size < pairs.length) {
    throw new Fault('badRequest', 'The header Upload-Metadata is not well formed.')
  }
  return Object.fromEntries(
    pairs.map(([, name = '', value]) => [
      name,
      value ? Buffer.from(value, 'base64').toString('utf8') : null,
    ]),
  )
}

/** The header for a client that asks for the state of an upload. */
export function formatMetadata(metadata: UploadMetadata): string {
  const pairs = Object.entries(metadata).map(([name, value]) =>
    value === null ? name : `${name} ${Buffer.from(value).toString('base64')}`,
  )
  return pairs.join(',')
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
