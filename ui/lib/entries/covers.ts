/** The cover of an album among the files of its folder. */
import type { Entry } from '#wire/api/entry.ts'

/** Common file names of album covers. */
const COVER = /^(?:cover|folder|front|album|albumart)\.[^.]+$/i

/** @returns the picture that is the cover of the recordings beside it */
export function coverAmong<One extends Pick<Entry, 'name' | 'type'>>(
  files: readonly One[],
): One | undefined {
  return files.find(({ name, type }) => type === 'image' && COVER.test(name))
}
