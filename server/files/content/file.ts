/** Reads one file: its type, and its text if the user may download. */

import type { Scope } from '#server/access/scope/scope.ts'
import { linkTargetMissing } from '#server/lib/common-faults.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import type { EntryType, FileEntry } from '#wire/api/entry.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { entryOf } from '../entry.ts'
import { looksLikeText, mayBeText, typeByEnding, typeByName } from '../file-types.ts'
import { pictureHeader } from '../previews/thumbnails.ts'
import { hasSeveralMeanings, typeByStart } from '../two-meanings.ts'
import { subtitlesAmong } from './subtitles.ts'

/** How many bytes the detection of text reads. */
export const HEAD_BYTES = 512
/** Most image formats store the size in this part, some behind a long profile. */
export const PICTURE_HEAD_BYTES = 256 * 1024

/** Keeps the byte order mark as part of the text, so that saving does not remove it. */
const KEEPING_BOM = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The type of a file by its name and first bytes. `textImmutable` is text that the user may not change (docs/api.md
 * 8.2).
 *
 * @throws Fault notFound, forbidden
 */
export async function typeByContent(scope: Scope, node: Node): Promise<EntryType> {
  const type = await typeInside(scope, node)
  return type === 'text' && !scope.may('modify') ? 'textImmutable' : type
}

/** Reads the first bytes of a file if its name does not suffice. */
async function typeInside(scope: Scope, node: Node): Promise<EntryType> {
  const byName = typeByName(node)
  const isUnclear = mayBeText(node, byName) || hasSeveralMeanings(node.path)
  if (node.kind !== 'file' || !isUnclear) return byName
  const start = await startOf(scope, node.path, HEAD_BYTES)
  const meaning = typeByStart(node.path, start)
  if (!meaning) return looksLikeText(start) ? 'text' : byName
  return meaning === 'text' && node.sizeBytes > SERVER_LIMITS.textMaxBytes ? 'blob' : meaning
}

/**
 * The entry of a file with its text, for users who may download (docs/decisions.md 1).
 *
 * @throws Fault notFound, forbidden
 */
export async function readFileEntry(scope: Scope, node: Node): Promise<FileEntry> {
  const type = await typeByContent(scope, node)
  requireLinkTarget(node)
  const entry: FileEntry = entryOf(node, type)
  if (type === 'image') {
    const header = await pictureHeader(await startOf(scope, node.path, PICTURE_HEAD_BYTES))
    return header ? { ...entry, resolution: header.size } : entry
  }
  if (type === 'video') return { ...entry, ...(await subtitlesOf(scope, node.path)) }
  if (!(type === 'text' || type === 'textImmutable') || !scope.may('download')) return entry
  const { bytes } = await scope.read(node.path)
  const content = KEEPING_BOM.decode(await new Response(bytes).bytes())
  return content === '' ? entry : { ...entry, content }
}

/**
 * The subtitles of a film as a part of its entry; nothing if there are none.
 *
 * @throws Fault notFound, forbidden
 */
export async function subtitlesOf(
  scope: Scope,
  path: TreePath,
): Promise<Pick<FileEntry, 'subtitles'>> {
  const siblings = await scope.list(parentPath(path))
  const subtitles = (await subtitlesAmong(scope, siblings)).of(path)
  return subtitles.length > 0 ? { subtitles } : {}
}

/**
 * Refuses a dangling link, except under the name of a media file (docs/api.md 8.4).
 *
 * @throws Fault notFound (a dangling link without the name of a media file)
 */
export function requireLinkTarget(node: Node): void {
  if (node.kind !== 'danglingLink' || isMedia(node)) return
  throw linkTargetMissing()
}

function isMedia({ path }: Node): boolean {
  const type = typeByEnding(nameOf(path))
  return type === 'image' || type === 'video' || type === 'audio'
}

/**
 * Whether the first bytes of a file are text.
 *
 * @throws Fault notFound, forbidden
 */
export async function isTextFile(scope: Scope, path: TreePath): Promise<boolean> {
  return looksLikeText(await startOf(scope, path, HEAD_BYTES))
}

async function startOf(scope: Scope, path: TreePath, bytesMax: number): Promise<Uint8Array> {
  const { bytes } = await scope.peek(path, () => ({ first: 0, last: bytesMax - 1 }))
  return new Uint8Array(await new Response(bytes).arrayBuffer())
}
