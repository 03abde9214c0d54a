/**
 * Compares what the server has at a path with the file that was sent to it. The response to an upload says that the bytes
 * have arrived, not that they are there: another user or program may have moved, removed or replaced the file.
 */
import { request } from '#ui/api/client/request.ts'
import { checksum, stat } from '#ui/api/files/resources.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import { hexDigitsOf } from '#ui/lib/text/hex.ts'
import type { FileEntry } from '#wire/api/entry.ts'
import { urls } from '#wire/api/routes.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { NotAsSentError } from './retry.ts'
import type { Upload } from './transport.ts'

/**
 * Asks the server for a file after its last byte was sent.
 *
 * @param etag the version of the file in the response to the last byte; undefined if that named none
 * @throws NotAsSentError (nothing is there, or something else); Fault unavailable, unauthenticated, aborted (by the
 *   signal)
 */
export async function requireAsSent(
  { path, file }: Upload,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (etag !== undefined && (await findVersion(path, signal)) === etag) return
  // A command of the server may have changed the attributes of the file, and so its version.
  const stored = await findFile(path, signal)
  const isSame =
    stored?.size === file.size &&
    ((await hasSameContent({ path, file }, signal)) ?? hasSameTime(stored, file))
  if (!isSame) throw new NotAsSentError()
}

/**
 * Whether a request whose response was lost has stored the file. Without this check, the file would be sent twice, or the
 * retry would find the file's own name taken.
 */
export async function isStored(upload: Upload, signal: AbortSignal): Promise<boolean> {
  const { path, file, override } = upload
  const stored = await findFile(path, signal)
  if (stored?.size !== file.size || !hasSameTime(stored, file)) return false
  // The file that is to be replaced may have the same size and time.
  return (await hasSameContent(upload, signal)) ?? !override
}

function hasSameTime({ modified }: FileEntry, file: File): boolean {
  const apartMs = Math.abs(new Date(modified).getTime() - file.lastModified)
  return apartMs <= UI_LIMITS.sameTimeMs
}

/** @returns undefined if the contents cannot be compared: browsers compute checksums only on pages of https */
async function hasSameContent(
  { path, file }: Pick<Upload, 'path' | 'file'>,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (!crypto.subtle || file.size > UI_LIMITS.comparedFileMaxBytes) return undefined
  try {
    const { checksums } = await checksum(path, 'sha256', signal)
    if (!checksums?.sha256) return undefined
    const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
    return checksums.sha256 === hexDigitsOf(new Uint8Array(digest))
  } catch (error) {
    // The user may not download, or the file was removed since.
    if (isFault(error, 'forbidden', 'notFound', 'tooMany')) return undefined
    throw error
  }
}

/** @returns the version of the file at a path; undefined if there is none. Its content is not requested. */
async function findVersion(path: TreePath, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { headers } = await request(urls.resource(path), { method: 'HEAD', signal })
    return headers.get('ETag') ?? undefined
  } catch (error) {
    if (isFault(error, 'notFound', 'forbidden', 'outside')) return undefined
    throw error
  }
}

/** @returns undefined if there is no file, or none that the user may see */
async function findFile(path: TreePath, signal: AbortSignal): Promise<FileEntry | undefined> {
  try {
    const entry = await stat(path, signal)
    return entry.isDir ? undefined : entry
  } catch (error) {
    if (isFault(error, 'notFound', 'forbidden', 'outside')) return undefined
    throw error
  }
}
