/** The content of archives without extraction: lists, and single files (docs/api.md 31). */
import type { Scope } from '#server/access/scope/scope.ts'
import {
  type ArchiveFile,
  type ArchiveList,
  openArchiveFile,
} from '#server/archives/read/contents.ts'
import { isTreeFolder, type TreeFile, type TreeFolder } from '#server/archives/read/member-tree.ts'
import { typeByName } from '#server/files/file-types.ts'
import { collectInSlices } from '#server/lib/slices.ts'
import type { ArchiveFolder, ArchiveItem } from '#wire/api/archive-contents.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, nameOf, parsePath, type TreePath } from '#wire/paths.ts'
import type { AnyCall, AuditNote } from '../context/context.ts'
import { NOT_FOUND, type RouteDocs } from '../context/route-docs.ts'
import { isAnonymous, limitKey } from '../lifetime/in-flight.ts'
import { whileAllowed } from '../lifetime/while-allowed.ts'
import { isUnchanged } from '../response/conditions.ts'
import { contentHeaders } from '../response/download.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { sendBytes } from '../response/send-bytes.ts'

export const INSIDE_QUERY = {
  inside: 'the path from the root of the archive; the root by default',
}

export const ARCHIVE_RESPONSES: RouteDocs['responses'] = {
  400: 'the path in the archive is invalid',
  403: 'the right to download is missing, or a rule denies it',
  404: `${NOT_FOUND}, or at the path in the archive`,
  409: 'the path in the archive is a file where a folder is needed, or the reverse; or the archive is a folder, or changed during the request',
  413: 'the archive has too many entries, expands too much, or takes too long to read',
  415: 'not an archive of a known format',
  422: 'the archive is damaged or encrypted',
  429: 'this user reads too many archives at a time',
  503: 'too many archives are being read',
}

/**
 * Sends the content of a folder in an archive.
 *
 * @throws as `ArchiveLists.read`; badRequest (`inside` is no path), notDirectory (`inside` is a file), tooMany
 *   (this user reads too many archives), unavailable (all users do)
 */
export async function sendArchiveFolder(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
): Promise<Response> {
  const inside = pathInside(call)
  const list = await withReadPermit(call, (stop) =>
    call.var.app.archiveLists.read(scope, path, stop),
  )
  const folder = list.tree.folder(inside)
  return sendJsonQueued(call, () => present(list, nameOf(path), inside, folder))
}

async function present(
  { tree, isPartial }: ArchiveList,
  name: string,
  path: TreePath,
  { items }: TreeFolder,
): Promise<ArchiveFolder> {
  const entries = items.entries().map(([child, node]) => itemOf(path, child, node))
  return {
    name,
    path,
    items: await collectInSlices(entries),
    leftOut: tree.leftOut,
    isPartial,
  }
}

function itemOf(folder: TreePath, name: string, node: TreeFile | TreeFolder): ArchiveItem {
  const isDir = isTreeFolder(node)
  const path = childPath(folder, name)
  const size = isTreeFolder(node) ? 0 : node.sizeBytes
  return {
    path,
    name,
    size,
    isDir,
    type: typeByName({ path, kind: isDir ? 'folder' : 'file', sizeBytes: size }),
    modified: timeOf(node.modifiedMs),
  }
}

/** A time as ISO 8601; empty if the archive has none, or one that is out of range. */
function timeOf(modifiedMs: number | undefined): string {
  const date = new Date(modifiedMs ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

/**
 * Sends one file of an archive, without ranges. If its bytes do not match the records of the archive, a small file is
 * refused, and the connection of a large one is closed.
 *
 * @throws as `openArchiveFile`; badRequest (`inside` is no path), precondition (the request is for other content),
 *   tooMany (this user reads too many archives), unavailable (all users do)
 */
export async function sendArchiveFile(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
): Promise<Response> {
  const inside = pathInside(call)
  const permit = acquireReadPermit(call)
  let file: ArchiveFile | undefined
  try {
    const { env, req } = call
    // Nothing is sent while the file is searched. Afterwards the idle timeout ends stalled clients.
    env.timeout(req.raw, 0)
    file = await stoppable(call, (stop) =>
      openArchiveFile(scope, path, inside, AbortSignal.any([req.raw.signal, stop])),
    ).finally(() => env.timeout(req.raw, env.idleSec))
    return await respond(call, file, inside, permit)
  } catch (error) {
    // It is closed already if reading it has failed.
    await file?.bytes.cancel().catch(() => undefined)
    permit[Symbol.dispose]()
    throw error
  }
}

async function respond(
  call: AnyCall,
  file: ArchiveFile,
  inside: TreePath,
  permit: Disposable,
): Promise<Response> {
  const { sizeBytes } = file
  const name = nameOf(inside)
  const type = typeByName({ path: inside, kind: 'file', sizeBytes })
  const headers = contentHeaders(call, name, type)
  const etag = etagOf(file, inside)
  headers.set('ETag', etag)
  headers.set('Accept-Ranges', 'none')
  headers.set('Content-Length', String(sizeBytes))
  const isNotModified = isUnchanged(call, { etag, modifiedMs: undefined })
  if (isNotModified || call.req.method === 'HEAD') {
    await file.bytes.cancel()
    permit[Symbol.dispose]()
    if (isNotModified) headers.delete('Content-Length')
    return new Response(null, { status: isNotModified ? 304 : 200, headers })
  }
  return sendBytes(call, file.bytes, sizeBytes, { headers }, permit)
}

/** The version of the archive, and the path in it. */
function etagOf({ archive }: ArchiveFile, inside: TreePath): string {
  return `"${archive.version}-${Bun.hash(inside).toString(36)}"`
}

/** @returns the note with the path in the archive; without it if it is not valid, as in a refused request */
export function withPathInside(call: AnyCall, note: AuditNote): AuditNote {
  try {
    return { ...note, inside: pathInside(call) }
  } catch (error) {
    if (error instanceof Fault) return note
    throw error
  }
}

/** @throws Fault badRequest (the query `inside` is no path) */
function pathInside(call: AnyCall): TreePath {
  return parsePath(call.req.query('inside') ?? '/')
}

/** Runs `work` with a permit for archive reads. `stop` aborts if the client leaves or loses access. */
async function withReadPermit<T>(
  call: AnyCall,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  using _ = acquireReadPermit(call)
  return stoppable(call, (stop) => work(AbortSignal.any([call.req.raw.signal, stop])))
}

/** Runs `work`. `stop` aborts if the client loses access. */
async function stoppable<T>(call: AnyCall, work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  using _ = whileAllowed(call, (fault) => stop.abort(fault))
  return await work(stop.signal)
}

function acquireReadPermit(call: AnyCall): Disposable {
  const { limits } = call.var
  const limit = isAnonymous(call) ? limits.publicArchiveReads : limits.archiveReads
  return limit.acquire(limitKey(call))
}
