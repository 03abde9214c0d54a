/** Whether a film or recording that the browser cannot play is damaged, or has a format that it does not know. */
import * as media from '#ui/api/media.ts'
import type { ShareKey } from '#ui/lib/share-urls.ts'
import type { AlbumFacts } from '#wire/media.ts'
import { extensionOf, type TreePath } from '#wire/paths.ts'

/** Formats whose length the server reads from the file. */
const FORMATS_WITH_LENGTH = new Set('mp4 m4v mov webm mkv mp3 flac wav m4a'.split(' '))

/** @returns true if the file has no length, such as a film without its index; false if it has one, or it is not known */
export function isDamagedMedia(
  { name }: { name: string },
  path: TreePath,
  signal: AbortSignal,
): Promise<boolean> {
  return hasNoLength(name, () => media.read(path, signal))
}

/** Like `isDamagedMedia`, for a file in a share. */
export function isDamagedShared(
  share: ShareKey,
  { name }: { name: string },
  path: TreePath,
  signal: AbortSignal,
): Promise<boolean> {
  return hasNoLength(name, () => media.readShared(share, path, signal))
}

async function hasNoLength(name: string, read: () => Promise<AlbumFacts>): Promise<boolean> {
  if (!FORMATS_WITH_LENGTH.has(extensionOf(name).slice(1).toLowerCase())) return false
  const facts = await read().catch(() => undefined)
  return facts !== undefined && facts.seconds === undefined
}
