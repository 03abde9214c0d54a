/** Title, artist and cover of an audio file, read from its start. */
import { readStart } from '#ui/api/resources.ts'
import type { TreePath } from '#wire/paths.ts'
import type { SoundTags } from '#wire/sound-tag-types.ts'
import { readSoundTags } from '#wire/sound-tags.ts'

/** The number of bytes that are read from the start of the file; most tags with their cover fit into them. */
const START_BYTES = 256 * 1024

/** @returns the tags; none if the file cannot be read */
export async function soundTagsOf(path: TreePath, signal: AbortSignal): Promise<SoundTags> {
  const bytes = await readStart(path, START_BYTES, signal).catch(() => undefined)
  return bytes ? readSoundTags(bytes) : {}
}
