/** The archives that the server makes (decisions 22), the one everybody can open first. */
export const ARCHIVE_FORMATS = [
  'zip',
  'tar',
  'tar.gz',
  'tar.bz2',
  'tar.xz',
  'tar.lz4',
  'tar.sz',
  'tar.br',
  'tar.zst',
] as const

export type ArchiveFormat = (typeof ARCHIVE_FORMATS)[number]
