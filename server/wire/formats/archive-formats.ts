/**
 * The archive formats (docs/specification.md 5, docs/decisions.md 22): name in requests (docs/api.md 1.7) and file
 * extension.
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

export type ArchiveFormatName = keyof typeof ARCHIVE_ENDINGS

/** The names in the order of the menu, the most compatible first. */
export const ARCHIVE_FORMAT_NAMES = Object.keys(ARCHIVE_ENDINGS) as ArchiveFormatName[]
