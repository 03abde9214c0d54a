/** The formats of archives (docs/specification.md 5, docs/decisions.md 22), by their token (docs/api.md 1.7), with their ending. */
export const ARCHIVE_ENDINGS = {
  zip: '.zip',
  tar: '.tar',
  targz: '.tar.gz',
  tarbz2: '.tar.bz2',
  tarxz: '.tar.xz',
  tarlz4: '.tar.lz4',
  tarsz: '.tar.sz',
  tarbr: '.tar.br',
  tarzst: '.tar.zst',
} as const satisfies Record<string, string>

export type ArchiveToken = keyof typeof ARCHIVE_ENDINGS

/** The tokens, in the order they are offered: first the one that everybody can open. */
// The table has no other keys.
export const ARCHIVE_TOKENS = Object.keys(ARCHIVE_ENDINGS) as ArchiveToken[]
