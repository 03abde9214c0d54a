/**
 * Uploads that this browser has begun on the server. Its URL is derived from the destination path (docs/decisions.md 10),
 * so a request may find an upload that another page or browser has begun, or one that is finished. An upload is resumed
 * only if its metadata contains the random key that this browser has given it.
 */
import { faultOf } from '#ui/api/client/fault-of.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { hexDigitsOf } from '#ui/lib/text/hex.ts'
import { queryString, urls } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { abortedBy, noResponse } from './faults.ts'

export interface BegunUpload {
  /** A random text in the metadata of the upload. */
  key: string
  /** The id in the URL of the upload; undefined until the server has returned it. */
  id?: string | undefined
}

/** The state of an upload on the server. */
export interface UploadState {
  begun: BegunUpload
  /** The number of bytes that the server has. */
  offset: number
  /** The CRC-32 of these bytes, if it was asked for and the upload is unfinished. */
  crc32: number | undefined
  /** The version of the file, if the upload is finished. */
  etag: string | undefined
  /** Whether it is an upload of this file: the same size, name and modification time. */
  isUploadOf(file: Pick<File, 'name' | 'size' | 'lastModified'>): boolean
}

/** The name of the key in the metadata. */
const KEY = 'key'
/** In bytes. */
const KEY_LENGTH = 16
/** The name of a checksum, as the server knows it. */
const CRC32 = 'crc32'
/** The name of the id in the query of an upload's URL. */
const ID = 'upload'

export function newKey(): string {
  return hexDigitsOf(crypto.getRandomValues(new Uint8Array(KEY_LENGTH)))
}

/** The URL of an upload; without an id that of the last unfinished one to the path. */
export function uploadUrl(
  path: TreePath,
  id: string | undefined,
  more: Record<string, string> = {},
): string {
  const url = urls.tus(path, false).replace(/\?.*$/, '')
  return withBase(url + queryString({ [ID]: id, ...more }))
}

/** @returns the id in the URL of an upload; undefined if it has none */
export function idIn(url: string | null | undefined): string | undefined {
  return new URLSearchParams(url?.split('?')[1]).get(ID) ?? undefined
}

export function metadataOf(
  { file, relativePath }: { file: File; relativePath: string },
  key: string,
): Record<string, string> {
  return {
    filename: file.name,
    filetype: file.type || 'application/octet-stream',
    lastModified: String(file.lastModified),
    relativePath,
    [KEY]: key,
  }
}

/**
 * Errors that do not tell whether the upload exists. A new upload must not begin then: it would collide with the begun
 * one.
 */
const INCONCLUSIVE = ['unauthenticated', 'unavailable', 'locked', 'internal', 'tooMany'] as const

/**
 * @returns the state of the upload; undefined if the server has no upload with this key
 * @throws Fault unauthenticated, locked (another request writes to the upload), unavailable, internal, tooMany,
 *   aborted (by the signal)
 */
export async function findBegun(
  { path, begun }: { path: TreePath; begun?: BegunUpload | undefined },
  signal?: AbortSignal,
  { withCrc32 = false } = {},
): Promise<UploadState | undefined> {
  if (!begun) return undefined
  const url = uploadUrl(path, begun.id, withCrc32 ? { checksum: CRC32 } : {})
  const response = await fetch(url, {
    method: 'HEAD',
    headers: { [TOKEN_HEADER]: currentToken() ?? '' },
    ...(signal && { signal }),
  }).catch((cause) => {
    throw signal?.aborted ? abortedBy(signal) : noResponse(cause)
  })
  const header = (name: string) => response.headers.get(name)
  if (!response.ok) {
    const fault = faultOf({ status: response.status, body: '', header })
    if (isFault(fault, ...INCONCLUSIVE)) throw fault
    return undefined
  }
  const metadata = parseMetadata(header('Upload-Metadata') ?? '')
  const offset = Number(header('Upload-Offset') ?? Number.NaN)
  if (!Number.isInteger(offset) || metadata.get(KEY) !== begun.key) return undefined
  return {
    begun: { key: begun.key, id: begun.id ?? idIn(header('Content-Location')) },
    offset,
    crc32: crc32In(header('Upload-Checksum')),
    etag: header('ETag') ?? undefined,
    isUploadOf: ({ name, size, lastModified }) =>
      size === Number(header('Upload-Length')) &&
      metadata.get('filename') === name &&
      metadata.get('lastModified') === String(lastModified),
  }
}

/** @returns the checksum in a header of the form `crc32 base64`; undefined if there is none */
function crc32In(header: string | null): number | undefined {
  const [name, encoded] = header?.split(' ') ?? []
  if (name !== CRC32 || encoded === undefined) return undefined
  const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
  return new DataView(bytes.buffer).getUint32(0)
}

/**
 * Parses the `Upload-Metadata` header of tus: `name base64,name base64`.
 *
 * @returns the decoded values by name; a value that cannot be decoded is left out
 */
export function parseMetadata(header: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [name = '', encoded = ''] = pair.trim().split(' ')
    try {
      const bytes = Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0))
      pairs.set(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    } catch {}
  }
  return pairs
}
