/** The archives that the server makes (docs/decisions.md 22), by their token (docs/api.md 1.7), with their ending. */
export const ARCHIVE_FORMATS = {
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

export type ArchiveFormat = keyof typeof ARCHIVE_FORMATS

/** The tokens, in the order they are offered: first the one that everybody can open. */
// The table has no other keys.
export const ARCHIVE_TOKENS = Object.keys(ARCHIVE_FORMATS) as ArchiveFormat[]
