/** Folders as archives (docs/api.md 1.7). */

import type { Scope } from '#server/access/scope/scope.ts'
import { type ArchiveFormat, parseArchiveFormat } from '#server/archives/codecs/archive-formats.ts'
import { archiveFileName } from '#server/archives/write/archive-names.ts'
import {
  type Archive,
  archive,
  type Selection,
  selectMembers,
} from '#server/archives/write/write-archive.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { ByteRange } from '#server/storage/node.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'
import { withoutIdleTimeout } from '../lifetime/idle-timeout.ts'
import { isAnonymous, limitKey } from '../lifetime/in-flight.ts'
import { requireConditions } from '../response/conditions.ts'
import { disposition } from '../response/disposition.ts'
import { etagOf, sendDownload } from '../response/download.ts'
import { UNKNOWN_LENGTH } from '../response/head.ts'
import { USER_BYTES_POLICY } from '../response/headers.ts'
import { LeftOutLog } from '../response/left-out-log.ts'
import { requestedPart, setLength, unsatisfiable } from '../response/ranges.ts'
import { sendBytes } from '../response/send-bytes.ts'

/**
 * Sends the file at `path`, or a folder as an archive.
 *
 * @param topName the name of an archive of the scope's root
 * @throws as `sendDownload` and `downloadArchive`
 */
export async function downloadAny(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
  topName: string,
): Promise<Response> {
  try {
    return await sendDownload(call, scope, path)
  } catch (error) {
    if (!isFault(error, 'isDirectory')) throw error
    return downloadArchive(call, scope, path, topName)
  }
}

/**
 * Sends `folder`, or the entries of it that `files` names, in the format `algo`.
 *
 * @throws Fault badRequest (no such format), forbidden, notFound, unsupported (neither file nor folder, or the
 *   machine lacks the codec), precondition (the request is for other content), tooMany (this user has too many archives), unavailable (all users have)
 */
async function downloadArchive(
  call: AnyCall,
  scope: Scope,
  folder: TreePath,
  topName: string,
): Promise<Response> {
  const format = parseArchiveFormat(call.req.query('algo'))
  const { limits } = call.var
  const limit = isAnonymous(call) ? limits.publicArchives : limits.archives
  const permit = limit.acquire(limitKey(call))
  try {
    const { built, headers, leftOut } = await planned(call, scope, folder, { format, topName })
    const result = respond(call, built, headers)
    if (result instanceof Response) {
      permit[Symbol.dispose]()
      return result
    }
    const { status, range } = result
    if (!range) leftOut.begin()
    const bytes = built.bytes(range)
    const length = range ? range.last + 1 - range.first : built.sizeBytes
    return await sendBytes(call, bytes, length, { status, headers }, permit)
  } catch (error) {
    permit[Symbol.dispose]()
    throw error
  }
}

/** Prepares an archive and its headers. Nothing is sent while the entries of a zip are listed. */
async function planned(
  call: AnyCall,
  scope: Scope,
  folder: TreePath,
  { format, topName }: { format: ArchiveFormat; topName: string },
): Promise<{ built: Archive; headers: Headers; leftOut: LeftOutLog }> {
  using _ = withoutIdleTimeout(call)
  const selection = await selectMembers(scope, requestedPaths(call, folder))
  const leftOut = new LeftOutLog(call, 'download')
  const built = await archive(scope, selection, format, {
    crcCache: call.var.app.zipChecks,
    clientLeft: call.req.raw.signal,
    leftOut: leftOut.add,
    listed: leftOut.complete,
    listsLeftOut: true,
  })
  const headers = new Headers({
    ...headersOf(selection, format, topName),
    ...(built.sizeBytes !== undefined && leftOut.headers()),
  })
  return { built, headers, leftOut }
}

/**
 * Adds the headers of the body to `headers`.
 *
 * @returns the whole response if it has no body, else its status and the range of the body
 * @throws Fault precondition (the request is for other content)
 */
function respond(
  call: AnyCall,
  { sizeBytes, version }: Archive,
  headers: Headers,
): Response | { status: number; range?: ByteRange | undefined } {
  const isHead = call.req.method === 'HEAD'
  if (sizeBytes === undefined || version === undefined) {
    requireConditions(call, { etag: undefined, modifiedMs: undefined })
    if (!isHead) return { status: 200 }
    return new Response(null, { headers: { ...Object.fromEntries(headers), ...UNKNOWN_LENGTH } })
  }
  const validators = { etag: etagOf({ version }), modifiedMs: undefined, sizeBytes }
  headers.set('ETag', validators.etag)
  headers.set('Accept-Ranges', 'bytes')
  headers.set('Cache-Control', 'private, no-cache')
  const requested = requestedPart(call, validators)
  if (requested === 'unchanged') return new Response(null, { status: 304, headers })
  if (requested === 'unsatisfiable') return unsatisfiable(sizeBytes)
  // A part of an archive may need much work, so a response has only one.
  const range = requested.length === 1 ? requested[0] : undefined
  const status = setLength(headers, sizeBytes, range)
  return isHead ? new Response(null, { status, headers }) : { status, range }
}

function headersOf(selection: Selection, format: ArchiveFormat, topName: string) {
  return {
    'Content-Type': format.mediaType,
    'Content-Disposition': disposition(
      'attachment',
      archiveFileName(selection, format.ending, topName),
    ),
    'Content-Security-Policy': USER_BYTES_POLICY,
    'X-Content-Type-Options': 'nosniff',
  }
}

/**
 * Parses `files`: comma-separated names below `folder`, each encoded once more than the query. A name that does not
 * decode is used as it is. No name can be a path outside the folder.
 *
 * @throws Fault badRequest for a NUL character, and for too many names
 */
function requestedPaths(call: AnyCall, folder: TreePath): TreePath[] {
  const names = (call.req.query('files') ?? '').split(',').filter((name) => name !== '')
  if (names.length === 0) return [folder]
  if (names.length > SERVER_LIMITS.archiveNamesMax) {
    throw new Fault(
      'badRequest',
      `The parameter files may name at most ${SERVER_LIMITS.archiveNamesMax} items.`,
    )
  }
  return names.map((name) => joinPath(folder, decodedOnceMore(name)))
}

function decodedOnceMore(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
