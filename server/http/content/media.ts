/** Sends the metadata of pictures and videos. */
import type { Scope } from '#server/access/scope/scope.ts'
import { albumFactsOf } from '#server/files/media/media-facts.ts'
import type { FolderMedia, MediaFacts } from '#wire/api/media.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'
import { NOT_FOUND, type RouteDocs } from '../context/route-docs.ts'
import { limitKey } from '../lifetime/in-flight.ts'

export const MEDIA_QUERY = {
  from: 'of a folder: how many pictures and films to skip, in the order of their names',
}

export const MEDIA_REFUSED: RouteDocs['responses'] = {
  400: '`from` is not a whole number',
  403: 'the right to download is missing, or a rule denies it',
  404: NOT_FOUND,
  429: 'this user has too many requests for media data in progress',
  503: 'too many requests for media data are in progress',
}

/** @throws Fault badRequest (`from`), notFound, forbidden, tooMany (of this user), unavailable (of all users) */
export async function media(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
): Promise<FolderMedia | MediaFacts> {
  const { app, limits } = call.var
  await scope.recheck('download', path)
  const node = await scope.stat(path)
  using _ = limits.media.acquire(limitKey(call))
  if (node.kind !== 'folder') return await app.media.of(scope, node)
  return await app.media.ofFolder(scope, path, fromOf(call), call.req.raw.signal)
}

/**
 * As `media`, without the data that share visitors may not see.
 *
 * @throws as `media`
 */
export async function publicMedia(call: AnyCall, scope: Scope, path: TreePath) {
  const facts = await media(call, scope, path)
  return 'items' in facts ? facts : albumFactsOf(facts)
}

/** @throws Fault badRequest (`from` is no whole number) */
function fromOf(call: AnyCall): number {
  const from = call.req.query('from') ?? '0'
  if (/^\d{1,9}$/.test(from)) return Number(from)
  throw new Fault('badRequest', 'The parameter from must be a whole number.')
}
