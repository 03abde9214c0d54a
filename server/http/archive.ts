/** Folders as archives (contract 1.7). */
import { BOUNDS } from '#server/access/bounds.ts'
import { Places } from '#server/access/places.ts'
import type { Scope } from '#server/access/scope.ts'
import { archive, select } from '#server/files/archive.ts'
import { parseArchiveFormat } from '#server/files/archive-formats.ts'
import { archiveFileName } from '#server/files/archive-names.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { joinPath, type TreePath } from '#wire/paths.ts'
import type { Call } from './context.ts'
import { disposition, download } from './download.ts'
import { USER_BYTES_POLICY } from './headers.ts'
import { stream, whose } from './under-way.ts'

const archives = new Places(BOUNDS.archives)

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
  const selection = await select(scope, requestedPaths(call, folder))
  const headers = {
    'Content-Type': format.mediaType,
    'Content-Disposition': disposition(
      'attachment',
      archiveFileName(selection, format.ending, topName),
    ),
    'Content-Security-Policy': USER_BYTES_POLICY,
    'X-Content-Type-Options': 'nosniff',
  }
  if (call.req.method === 'HEAD') return new Response(null, { headers })
  const { logger, path, address } = call.var
  const broke = (cause: unknown) => {
    // The status is on its way already; only the log can say what became of the rest.
    logger.refused(path, 200, address, new Fault('internal', 'It broke off.', { cause }))
  }
  const place = archives.take(whose(call))
  try {
    return stream(call, await archive(scope, selection, format, broke), { headers }, place)
  } catch (error) {
    place[Symbol.dispose]()
    throw error
  }
}

/**
 * `files`: names below `folder`, separated by commas, each encoded once more than the query. A name
 * that does not decode is meant as it stands; none leads out of the folder.
 *
 * @throws Fault badRequest for a NUL character
 */
function requestedPaths(call: Call, folder: TreePath): TreePath[] {
  const names = (call.req.query('files') ?? '').split(',').filter((name) => name !== '')
  if (names.length === 0) return [folder]
  return names.map((name) => joinPath(folder, decodedOnceMore(name)))
}

function decodedOnceMore(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
