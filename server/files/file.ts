/** One file: what it is, and its text when a person may have it. */

import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { EntryType, FileEntry } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parentPath, type TreePath } from '#wire/paths.ts'
import { entryOf } from './entry.ts'
import { looksLikeText, mayBeText, typeByEnding, typeByName } from './file-types.ts'
import { subtitlesIn } from './subtitles.ts'
import { pictureSize } from './thumbnails.ts'

/** How much of a file tells text from bytes. */
export const HEAD_BYTES = 512
/** Where formats of pictures keep how large they are; behind a long profile in some. */
const PICTURE_HEAD_BYTES = 256 * 1024

/** The byte order mark is of the text: who saves without it what was opened with it changes the file. */
const AS_IT_IS = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * A file with its type by name and first bytes. `textImmutable` is text that this person may not
 * change (docs/api.md 8.2).
 *
 * @throws Fault notFound, forbidden
 */
export async function typeOf(scope: Scope, node: Node): Promise<EntryType> {
  const byName = typeByName(node)
  const type = mayBeText(node, byName) && (await startsAsText(scope, node.path)) ? 'text' : byName
  return type === 'text' && !scope.may('modify') ? 'textImmutable' : type
}

/**
 * A file as a page opens it: with its text, for those who may download (docs/decisions.md 1).
 *
 * @throws Fault notFound, forbidden
 */
export async function openedFile(scope: Scope, node: Node): Promise<FileEntry> {
  const type = await typeOf(scope, node)
  mustLead(node)
  const entry: FileEntry = entryOf(node, type)
  if (type === 'image') {
    const resolution = await pictureSize(await start(scope, node.path, PICTURE_HEAD_BYTES))
    return resolution ? { ...entry, resolution } : entry
  }
  if (type === 'video') {
    const shelf = await subtitlesIn(scope, parentPath(node.path))
    const subtitles = shelf.of(node.path)
    return subtitles.length > 0 ? { ...entry, subtitles } : entry
  }
  if (!(type === 'text' || type === 'textImmutable') || !scope.may('download')) return entry
  const { bytes } = await scope.read(node.path)
  const content = AS_IT_IS.decode(await new Response(bytes).bytes())
  return content === '' ? entry : { ...entry, content }
}

/**
 * Refuses a link that leads to nothing. Under the name of a picture, a film or a recording it is one to
 * be looked at (docs/api.md 8.4).
 *
 * @throws Fault notFound
 */
export function mustLead(node: Node): void {
  if (node.kind !== 'danglingLink' || isMedia(node)) return
  throw new Fault('notFound', 'This link leads to nothing.')
}

function isMedia({ path }: Node): boolean {
  const type = typeByEnding(nameOf(path))
  return type === 'image' || type === 'video' || type === 'audio'
}

/** Whether the first bytes of a file are text. @throws Fault notFound, forbidden */
export async function startsAsText(scope: Scope, path: TreePath): Promise<boolean> {
  return looksLikeText(await start(scope, path, HEAD_BYTES))
}

async function start(scope: Scope, path: TreePath, bytesMax: number): Promise<Uint8Array> {
  const { bytes } = await scope.peek(path, () => ({ first: 0, last: bytesMax - 1 }))
  return new Uint8Array(await new Response(bytes).arrayBuffer())
}
