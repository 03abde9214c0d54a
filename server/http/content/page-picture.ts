/**
 * A small picture of a share in the HTML of its page. Visitors on slow connections see it before the scripts are
 * loaded. The page replaces it by its own pictures.
 */
import type { Scope } from '#server/access/scope/scope.ts'
import { typeByName } from '#server/files/file-types.ts'
import { PREVIEW_SIZES } from '#server/files/previews/preview.ts'
import { pictureHeader } from '#server/files/previews/thumbnails.ts'
import { sortNames } from '#server/lib/name-order.ts'
import { runInSlices } from '#server/lib/slices.ts'
import type { Node } from '#server/storage/node.ts'
import type { PagePicture } from '#server/web/page.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { openShare } from '../request/open-share.ts'

const SHARE_PAGE = '/share'
/** The page of a share itself, and not of a path below it. */
const SHARE_ADDRESS = /^\/share\/[^/]+\/?$/
/** The page does not wait longer. A slower rendering continues, and its result is cached. */
const WAIT_MS = 300
/** The page shows a cover for a folder with at least this number of pictures. */
const COVER_PICTURES = 3

/**
 * @returns undefined if the address is not that of a share without a password, if the share has no picture, or if the
 *   picture is not ready in time
 */
export async function pagePicture(call: AnyCall): Promise<PagePicture | undefined> {
  const { app, path } = call.var
  const isPage = call.req.method === 'GET' && SHARE_ADDRESS.test(path)
  if (!isPage || !app.config.flag('thumbnails')) return undefined
  try {
    return await Promise.race([findPicture(call), Bun.sleep(WAIT_MS).then(() => undefined)])
  } catch (error) {
    // The page itself requests the share, and shows the reason.
    if (error instanceof Fault) return undefined
    throw error
  }
}

async function findPicture(call: AnyCall): Promise<PagePicture | undefined> {
  const { app, limits } = call.var
  const { scope, path } = await openShare(call, SHARE_PAGE)
  const shared = await scope.stat(path)
  const picture = shared.kind === 'folder' ? await firstPicture(call, scope, shared) : shared
  if (!picture || !isPicture(picture)) return undefined
  using _ = limits.previews.acquire(limitKey(call))
  const { signal } = call.req.raw
  const { bytes, type } = await app.previews.get(scope, picture, { size: 'small' }, signal)
  // The page shows a smaller picture in its own size, which is not that of the early one.
  if (shared.kind !== 'folder' && !(await fills(bytes))) return undefined
  const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  return { layout: shared.kind === 'folder' ? 'cover' : 'file', url }
}

/** The first picture by name, as on the page; undefined if there are too few for a cover. */
async function firstPicture(call: AnyCall, scope: Scope, folder: Node): Promise<Node | undefined> {
  using _ = await call.var.limits.publicLargeResponses.builds.wait(limitKey(call))
  const pictures = (await scope.list(folder.path)).filter(isPicture)
  if (pictures.length < COVER_PICTURES) return undefined
  const names = pictures.map(({ path }) => nameOf(path))
  const [first = 0] = await runInSlices(sortNames(names, () => []))
  return pictures[first]
}

/** Whether the preview fills its box, so that the picture is not smaller than the box. */
async function fills(preview: Uint8Array): Promise<boolean> {
  const { width = 0, height = 0 } = (await pictureHeader(preview))?.size ?? {}
  return Math.max(width, height) >= PREVIEW_SIZES.small.width
}

function isPicture(node: Node): boolean {
  return node.kind !== 'folder' && typeByName(node) === 'image'
}
