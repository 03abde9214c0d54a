/** Archives that can be extracted, told by their names. */

const ARCHIVE_KINDS = ['zip', 'tar', 'gz', 'bz2', 'xz', 'zst', 'br', 'lz4', 'sz'] as const
/** A zip, a tar, or what a tar is compressed with. */
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number]

const ENDING =
  /\.(?:(?<plain>zip|tar)|tar\.(?<codec>gz|bz2|xz|zst|br|lz4|sz)|(?<short>tgz|tbz2?|txz|tzst))$/i
const SHORT: Record<string, ArchiveKind> = {
  tgz: 'gz',
  tbz: 'bz2',
  tbz2: 'bz2',
  txz: 'xz',
  tzst: 'zst',
}

/** What an archive of this name is; undefined for what is none. */
export function archiveKindOf(name: string): ArchiveKind | undefined {
  const { plain, codec, short } = ENDING.exec(name)?.groups ?? {}
  const text = (plain ?? codec ?? short ?? '').toLowerCase()
  return SHORT[text] ?? ARCHIVE_KINDS.find((kind) => kind === text)
}

/** `photos` for `photos.tar.gz`: the name of the folder that it is extracted into. */
export function withoutEnding(name: string): string {
  const at = ENDING.exec(name)?.index ?? name.length
  return at > 0 ? name.slice(0, at) : name
}
