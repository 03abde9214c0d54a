/**
 * Answers requests for an upload that is already finished. Its client may have missed the last response; everybody else
 * must not take it for an upload that has stored their bytes.
 */
import type { Stats } from 'node:fs'
import type { Scope } from '#server/access/scope/scope.ts'
import type { StoredUpload } from '#server/db/rows/upload-rows.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault, isFault } from '#wire/fault.ts'
import type { UploadContent } from './staged-store.ts'
import { noUpload, type UploadAddress, type UploadState } from './upload-state.ts'

/**
 * Requires a request with the id of a finished upload, in the session that has published it, while its file is
 * unchanged. A path alone is not enough: it may be a new upload of another file.
 *
 * @returns the published file
 * @throws Fault notFound
 */
export async function requirePublished(
  scope: Scope,
  upload: StoredUpload,
  address: UploadAddress,
): Promise<Node> {
  const isOwn = address.id === upload.id && address.session === upload.session
  const node = isOwn ? await findFile(scope, upload) : undefined
  if (node && [node.version, markOf(node)].includes(upload.published)) return node
  throw noUpload()
}

/**
 * Identifies the file that a staged file is going to be. The version of a node is not known before publication, and a
 * killed server does not store it afterwards.
 *
 * @param modifiedMs the modification time that it will get; undefined if it keeps its own
 */
export function markOfStaged({ ino, size, mtimeMs }: Stats, modifiedMs = mtimeMs): string {
  // The identity of a node is the inode in this form.
  return markOf({ identity: ino.toString(16), sizeBytes: size, modifiedMs })
}

/** Differs from every version, which has another number of parts. */
function markOf({
  identity,
  sizeBytes,
  modifiedMs,
}: Pick<Node, 'identity' | 'sizeBytes' | 'modifiedMs'>): string {
  return [identity, sizeBytes, Math.round(modifiedMs)].join('-')
}

/** @returns the file at the destination; undefined if there is none that the user may see */
async function findFile(scope: Scope, { path }: StoredUpload): Promise<Node | undefined> {
  try {
    return await scope.stat(path)
  } catch (error) {
    if (isFault(error, 'notFound', 'notDirectory', 'forbidden', 'outside')) return undefined
    throw error
  }
}

/**
 * Responds to a client that missed the last response: all bytes have arrived.
 *
 * @throws Fault conflict (the client sends bytes again), tooLarge (it sends more bytes), locked (another request took
 *   this upload over); errors of the content
 */
export async function appendToFinished(
  upload: StoredUpload,
  offset: number,
  content: UploadContent,
  takeover: AbortSignal,
): Promise<UploadState> {
  if (offset !== upload.sizeBytes) throw new Fault('conflict', 'The upload is complete.')
  for await (const chunk of content.open(takeover)) {
    if (chunk.length === 0) continue
    throw new Fault('tooLarge', 'The upload is complete; it accepts no more bytes.')
  }
  return { upload, offset, expiresMs: undefined, hasPublished: false, version: undefined }
}
