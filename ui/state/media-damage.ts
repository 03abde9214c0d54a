/** Whether a film or recording that the browser cannot play is damaged, or has a format that it does not know. */
import * as media from '#ui/api/media.ts'
import { extensionOf, nameOf, type TreePath } from '#wire/paths.ts'

/** Formats whose length the server reads from the file. */
const READ = new Set('mp4 m4v mov webm mkv mp3 flac wav m4a'.split(' '))

/** @returns true if the file has no length, such as a film without its index; false if that is not known */
export async function isDamagedMedia(path: TreePath, signal: AbortSignal): Promise<boolean> {
  if (!READ.has(extensionOf(nameOf(path)).slice(1).toLowerCase())) return false
  const facts = await media.read(path, signal).catch(() => undefined)
  return facts !== undefined && facts.seconds === undefined
}
