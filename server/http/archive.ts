/** Folders as archives (contract 1.7). */
import { BOUNDS } from '#server/access/bounds.ts'
import { Places } from '#server/access/places.ts'
import type { Scope } from '#server/access/scope.ts'
import { archive, type Selection, select } from '#server/files/archive.ts'
import { type ArchiveFormat, parseArchiveFormat } from '#server/files/archive-formats.ts'
import { archiveFileName } from '#server/files/archive-names.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import type { Call } from './context.ts'
import { disposition, download } from './download.ts'
import { UNKNOWN_LENGTH } from './head.ts'
import { USER_BYTES_POLICY } from './headers.ts'
import { isStranger, stream, whose } from './under-way.ts'

const archives = new Places(BOUNDS.archives)
/** Places of their own: visitors of public links leave people who signed in theirs. */
const publicArchives = new Places(BOUNDS.publicArchives)

/**
 * Sends what is at `path`: a file as it is, a folder as an archive.
 *
 * @param topName what an archive of the scope's own top is called
 * @throws as `download` and `downloadArchive`
 */
export async function downloadAny(
  call: Call,
  scope: Scope,
  path: TreePath,
  topName: string,
): Promise<Response> {
  try {
    return await download(call, scope, path)
  } catch (error) {
    if (!isFault(error, 'isDirectory')) throw error
    return downloadArchive(call, scope, path, topName)
  }
}

/**
 * Sends the whole of `folder`, or what `files` names in it, in the format `algo`.
 *
 * @throws Fault badRequest (no such format), forbidden, notFound, unsupported, tooMany,
 *   unavailable
 */
async function downloadArchive(
  call: Call,
  scope: Scope,
  folder: TreePath,
  topName: string,
): Promise<Response> {
  const format = parseArchiveFormat(call.req.query('algo'))
  const place = (isStranger(call) ? publicArchives : archives).take(whose(call))
  try {
    const selection = await select(scope, requestedPaths(call, folder))
    const headers = headersOf(selection, format, topName)
    if (call.req.method !== 'HEAD') {
      return stream(call, await archive(scope, selection, format), { headers }, place)
    }
    place[Symbol.dispose]()
    return new Response(null, { headers: { ...headers, ...UNKNOWN_LENGTH } })
  } catch (error) {
    place[Symbol.dispose]()
    throw error
  }
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
 * `files`: names below `folder`, separated by commas, each encoded once more than the query. A name
 * that does not decode is meant as it stands; none leads out of the folder.
 *
 * @throws Fault badRequest for a NUL character, and for too many names
 */
function requestedPaths(call: Call, folder: TreePath): TreePath[] {
  const names = (call.req.query('files') ?? '').split(',').filter((name) => name !== '')
  if (names.length === 0) return [folder]
  if (names.length > LIMITS.archiveNamesMax) {
    throw new Fault('badRequest', `files may name ${LIMITS.archiveNamesMax} things.`)
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
