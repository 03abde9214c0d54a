/** Title, artist and cover of an audio file, read from its start. */

import { ON_DEMAND_LIMITS } from '#ui/lib/on-demand-limits.ts'
import type { SoundTags } from '#wire/api/sound-tag-types.ts'
import { readSoundTags } from '#wire/formats/sound-tags.ts'
import type { TreePath } from '#wire/paths.ts'
import type { FileSource } from '../file/file-source.ts'

/** @returns the tags; none if the file cannot be read */
export async function soundTagsOf(
  source: Pick<FileSource, 'readPart'>,
  path: TreePath,
  signal: AbortSignal,
): Promise<SoundTags> {
  const part = await source
    .readPart(path, { first: ON_DEMAND_LIMITS.soundTagsMaxBytes }, signal)
    .catch(() => undefined)
  return part ? readSoundTags(part.bytes) : {}
}
