/**
 * The archive formats (docs/specification.md 5, docs/decisions.md 22): token (docs/api.md 1.7) and file extension.
 */
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

/** The tokens in the order of the menu, the most compatible first. */
export const ARCHIVE_TOKENS = Object.keys(ARCHIVE_ENDINGS) as ArchiveToken[]
