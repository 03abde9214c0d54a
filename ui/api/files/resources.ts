/** Requests for files and folders. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import {
  type ChecksumAlgorithm,
  type FileEntry,
  FOLDER_SIZES_HEADER,
  isListing,
  LINES_TYPE,
  type Listing,
} from '#wire/api/entry.ts'
import { queryString, urls } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { noConnection } from '../client/fault-of.ts'
import { request, requestJson } from '../client/request.ts'
import { currentToken } from '../client/token.ts'

/** The behaviour if the destination's name is taken; with neither option the request fails with conflict. */
export interface OnConflict {
  override?: boolean
  /** Use the next free name. */
  rename?: boolean
}

/** Without this header, a folder named `recursive` could be taken for the recursive listing (docs/api.md 1.6). */
const LISTING_HEADERS = { 'X-Encoding': 'false' }

/** Requests the sizes of folders. */
const SIZE_HEADERS = { [FOLDER_SIZES_HEADER]: 'true' }

/** A file with the version at the time of the request. */
export interface ReadFile extends FileEntry {
  /** The version of the file: a save with it does not overwrite another version. */
  etag?: string
}

/**
 * @param onFirst may receive a listing before the response: the last one of the folder, or one with its first entries
 * @returns a folder with its entries, or a file
 * @throws Fault notFound, forbidden, unavailable
 */
export async function stat(
  path: TreePath,
  signal?: AbortSignal,
  onFirst?: (listing: Listing, isComplete: boolean) => void,
): Promise<Listing | ReadFile> {
  const url = urls.resource(path)
  const cached = cachedListing(url)
  if (cached) onFirst?.(cached.listing, true)
  const headers = {
    ...LISTING_HEADERS,
    ...SIZE_HEADERS,
    ...(cached && { 'If-None-Match': cached.etag }),
    ...(onFirst && { Accept: LINES_TYPE }),
  }
  const response = await request(url, { signal, headers })
  if (response.status === 304 && cached) return cached.listing
  const { etag, ...entry } = await entryOf(response, (first) => onFirst?.(first, false))
  if (isListing(entry) && etag !== undefined) keepListing(url, { etag, listing: entry })
  return isListing(entry) || etag === undefined ? entry : { ...entry, etag }
}

type Tagged<Value> = Value & { etag?: string | undefined }

/** Reads the entry of a response with its tag, which is a header, or a part of the second of two lines. */
async function entryOf(
  response: Response,
  onFirst: (listing: Listing) => void,
): Promise<Tagged<Listing> | Tagged<FileEntry>> {
  // The server responds with the types of `#wire`; both sides compile against them.
  if (response.headers.get('Content-Type') !== LINES_TYPE) {
    const entry = (await response.json()) as Listing | FileEntry
    return { ...entry, etag: response.headers.get('ETag') ?? undefined }
  }
  let text = ''
  let isFirstRead = false
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const read = await reader?.read().catch((cause) => {
      throw noConnection(cause)
    })
    if (!read?.value) return JSON.parse(text) as Tagged<Listing>
    text += read.value
    const end = isFirstRead ? -1 : text.indexOf('\n')
    if (end < 0) continue
    onFirst(JSON.parse(text.slice(0, end)) as Listing)
    text = text.slice(end + 1)
    isFirstRead = true
  }
}

/** The last listings, by URL, the oldest first: the server sends them again only if they have changed. */
const listings = new Map<string, { etag: string; listing: Listing }>()
/** The session token with which the listings were requested: they are dropped with it. */
let ownerToken: string | null = null

function cachedListing(url: string): { etag: string; listing: Listing } | undefined {
  if (ownerToken !== currentToken()) listings.clear()
  ownerToken = currentToken()
  return listings.get(url)
}

function keepListing(url: string, cached: { etag: string; listing: Listing }): void {
  listings.delete(url)
  listings.set(url, cached)
  for (const oldest of listings.keys()) {
    if (listings.size <= UI_LIMITS.cachedListingsMax) return
    listings.delete(oldest)
  }
}

/**
 * @returns a folder with its entries
 * @throws Fault notFound, forbidden, notDirectory
 */
export async function list(path: TreePath, signal?: AbortSignal): Promise<Listing> {
  const entry = await requestJson<Listing | FileEntry>(urls.resource(path, true), {
    signal,
    headers: LISTING_HEADERS,
  })
  if (!isListing(entry)) throw new Fault('notDirectory', `${path} is a file.`)
  return entry
}

/**
 * @returns a file with one of its checksums
 * @throws Fault notFound, forbidden, badRequest (the path is a folder)
 */
export function checksum(
  path: TreePath,
  algorithm: ChecksumAlgorithm,
  signal?: AbortSignal,
): Promise<FileEntry> {
  return requestJson<FileEntry>(urls.checksum(path, algorithm), { signal })
}

/** Receives the journal entry of a change instead of the global listener. */
type OnJournalEntry = (entry: number) => void

/** Creates a folder and its missing parents. An existing folder is no error. */
export async function createFolder(path: TreePath, onJournalEntry?: OnJournalEntry): Promise<void> {
  await request(urls.resource(path, true), { method: 'POST', onJournalEntry })
}

/**
 * Creates a file.
 *
 * @throws Fault conflict if the name is taken
 */
export async function createFile(
  path: TreePath,
  content = '',
  onJournalEntry?: OnJournalEntry,
): Promise<void> {
  await request(urls.resource(path), { method: 'POST', body: content, onJournalEntry })
}

/**
 * @returns the content of a file, to be shown: the request is recorded as such, and not as a download
 * @throws Fault notFound, forbidden
 */
export async function readBytes(
  path: TreePath,
  signal?: AbortSignal,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; etag: string | undefined }> {
  const response = await request(urls.raw(path, true), { signal })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { bytes, etag: response.headers.get('ETag') ?? undefined }
}

/**
 * Reads a text that the user has not opened: the request is not recorded as an opening.
 *
 * @returns the bytes; from a server that sends a text only as it has decoded it, that text
 * @throws Fault notFound, forbidden
 */
export async function readUnopened(
  path: TreePath,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | string> {
  const headers = { 'X-Encoding': 'true' }
  const response = await request(urls.resource(path), { signal, headers })
  if (response.headers.get('Content-Type')?.startsWith('application/octet-stream')) {
    return new Uint8Array(await response.arrayBuffer())
  }
  // The server responds with the types of `#wire`; both sides compile against them.
  const { content = '' } = (await response.json()) as Partial<FileEntry>
  return content
}

/** Requests only the headers of a file, so that the server records it as opened although its content is not requested. */
export async function requestOpening(path: TreePath): Promise<void> {
  await request(urls.raw(path, true), { method: 'HEAD' })
}

/**
 * Asks whether the server makes an archive of these entries of a folder, or of the whole folder without names.
 *
 * @throws Fault as the download of the archive
 */
export async function requireArchive(folder: TreePath, names: readonly string[]): Promise<void> {
  // Unlike a zip, a tar is not listed before it is sent, so this takes little time.
  await request(urls.archive(folder, names, 'tar'), { method: 'HEAD' })
}

/** As many of the first or of the last bytes of a file. */
export type EndRange = { first: number } | { last: number }

export interface FilePart {
  bytes: Uint8Array<ArrayBuffer>
  /** The place of the first of them in the file. */
  fromByte: number
  /** The size of the file when they were read. */
  fileBytes: number
}

/**
 * @returns the first or last bytes of a file, to be shown; all, if it has fewer
 * @throws Fault notFound, forbidden
 */
export async function readPart(
  path: TreePath,
  range: EndRange,
  signal?: AbortSignal,
): Promise<FilePart> {
  return partOf(await request(urls.raw(path, true), { signal, headers: rangeHeaders(range) }))
}

/** The header that requests a range (RFC 9110 14.2). */
export function rangeHeaders(range: EndRange): { Range: string } {
  return { Range: 'first' in range ? `bytes=0-${range.first - 1}` : `bytes=-${range.last}` }
}

/** The content of a response, and which part of the file it is (RFC 9110 14.4); without that header, the whole. */
export async function partOf(response: Response): Promise<FilePart> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const [, from, of] =
    /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '') ?? []
  return { bytes, fromByte: Number(from ?? 0), fileBytes: Number(of ?? bytes.length) }
}

/**
 * Replaces the content of a file; with `etag` only if the file still has this version.
 *
 * @returns the new version
 * @throws Fault notFound, precondition (the file has another version than `etag`)
 */
export async function save(
  path: TreePath,
  content: string | Blob,
  etag?: string,
  onJournalEntry?: OnJournalEntry,
): Promise<string | undefined> {
  const headers: Record<string, string> = etag === undefined ? {} : { 'If-Match': etag }
  const options = { method: 'PUT', body: content, headers, onJournalEntry } as const
  const response = await request(urls.resource(path), options)
  return response.headers.get('ETag') ?? undefined
}

/**
 * Deletes a file, or a folder with its content.
 *
 * @param options.onlyToTrash deletes nothing permanently
 * @throws Fault conflict with the reason `notKept` if it would be deleted permanently
 */
export async function remove(
  path: TreePath,
  { onlyToTrash }: { onlyToTrash: boolean },
  onJournalEntry?: OnJournalEntry,
): Promise<void> {
  const url = urls.resource(path) + queryString({ onlyToTrash: onlyToTrash || undefined })
  await request(url, { method: 'DELETE', onJournalEntry })
}

/**
 * Moves or renames an entry.
 *
 * @throws Fault conflict if the name is taken
 */
export async function move(
  from: TreePath,
  to: TreePath,
  onConflict: OnConflict = {},
  onJournalEntry?: OnJournalEntry,
): Promise<void> {
  const url = urls.move(from, { action: 'rename', destination: to, ...onConflict })
  await request(url, { method: 'PATCH', onJournalEntry })
}

/**
 * Copies a file, or a folder with its content.
 *
 * @throws Fault conflict if the name is taken
 */
export async function copy(
  from: TreePath,
  to: TreePath,
  onConflict: OnConflict = {},
  onJournalEntry?: OnJournalEntry,
): Promise<void> {
  const url = urls.move(from, { action: 'copy', destination: to, ...onConflict })
  await request(url, { method: 'PATCH', onJournalEntry })
}
