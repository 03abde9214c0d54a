/** Archives that can be extracted, recognised by their extensions. */
import { ARCHIVE_ENDINGS } from './archive-formats.ts'

type Ending = (typeof ARCHIVE_ENDINGS)[keyof typeof ARCHIVE_ENDINGS]
type LastPart<Name extends string> = Name extends `.tar.${infer Codec}`
  ? Codec
  : Name extends `.${infer Plain}`
    ? Plain
    : never

/** A zip, a tar, or the compression of a tar. */
export type ArchiveKind = LastPart<Ending>

const SHORT_ENDINGS: Record<string, ArchiveKind> = {
  '.tgz': 'gz',
  '.tbz': 'bz2',
  '.tbz2': 'bz2',
  '.txz': 'xz',
  '.tzst': 'zst',
}

const KINDS: Readonly<Record<string, ArchiveKind>> = {
  ...Object.fromEntries(
    Object.values(ARCHIVE_ENDINGS).map((ending) => [
      ending,
      // The part after the last dot is the kind.
      ending.slice(ending.lastIndexOf('.') + 1) as ArchiveKind,
    ]),
  ),
  ...SHORT_ENDINGS,
}

/** @returns the kind of an archive by its name; undefined if it is not one */
export function archiveKindOf(name: string): ArchiveKind | undefined {
  return KINDS[endingOf(name)]
}

/** `photos` for `photos.tar.gz`: the name of the folder to extract into. */
export function withoutEnding(name: string): string {
  const length = name.length - endingOf(name).length
  return length > 0 ? name.slice(0, length) : name
}

/** In lower case; empty if it is not an archive. */
function endingOf(name: string): string {
  const text = name.toLowerCase()
  return Object.keys(KINDS).find((ending) => text.endsWith(ending)) ?? ''
}
