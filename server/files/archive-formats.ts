/** What makes archives of each format. */
import { ARCHIVE_ENDINGS, type ArchiveToken } from '#wire/archive-formats.ts'
import { Fault } from '#wire/fault.ts'
import type { Bytes, Codec } from './codec.ts'

export interface ArchiveFormat {
  /** Of the downloaded file, with the dot. */
  ending: string
  mediaType: string
  container: 'zip' | 'tar'
  /** What the container goes through. Loaded when it is asked for: few people ask. */
  codec?: () => Promise<Codec>
}

/** By the token of the wire (docs/api.md 1.7). */
export const ARCHIVE_FORMATS = {
  zip: { ending: ARCHIVE_ENDINGS.zip, mediaType: 'application/zip', container: 'zip' },
  tar: { ending: ARCHIVE_ENDINGS.tar, mediaType: 'application/x-tar', container: 'tar' },
  targz: {
    ending: ARCHIVE_ENDINGS.targz,
    mediaType: 'application/gzip',
    container: 'tar',
    codec: async () => (await import('./codec-zlib.ts')).gzip,
  },
  tarbz2: {
    ending: ARCHIVE_ENDINGS.tarbz2,
    mediaType: 'application/x-bzip2',
    container: 'tar',
    codec: async () => (await import('./codec-bzip2.ts')).bzip2,
  },
  tarxz: {
    ending: ARCHIVE_ENDINGS.tarxz,
    mediaType: 'application/x-xz',
    container: 'tar',
    codec: async () => (await import('./codec-xz.ts')).xz,
  },
  tarlz4: {
    ending: ARCHIVE_ENDINGS.tarlz4,
    mediaType: 'application/x-lz4',
    container: 'tar',
    codec: async () => (await import('./codec-lz4.ts')).lz4,
  },
  tarsz: {
    ending: ARCHIVE_ENDINGS.tarsz,
    mediaType: 'application/x-snappy-framed',
    container: 'tar',
    codec: async () => (await import('./codec-snappy.ts')).snappy,
  },
  tarbr: {
    ending: ARCHIVE_ENDINGS.tarbr,
    mediaType: 'application/x-brotli',
    container: 'tar',
    codec: async () => (await import('./codec-zlib.ts')).brotli,
  },
  tarzst: {
    ending: ARCHIVE_ENDINGS.tarzst,
    mediaType: 'application/zstd',
    container: 'tar',
    codec: async () => (await import('./codec-zlib.ts')).zstd,
  },
} as const satisfies Record<ArchiveToken, ArchiveFormat>

/**
 * Reads the name of a format, with or without dots: `targz`, `tar.gz`. Nothing, and `true`, is zip.
 *
 * @throws Fault badRequest naming what was asked for
 */
export function parseArchiveFormat(text = ''): ArchiveFormat {
  const token = text === '' || text === 'true' ? 'zip' : text.replaceAll('.', '')
  if (isToken(token)) return ARCHIVE_FORMATS[token]
  throw new Fault('badRequest', `There is no archive format ${text}.`)
}

/** The format of a file with this name; undefined for none. */
export function archiveFormatOf(name: string): ArchiveFormat | undefined {
  const formats: ArchiveFormat[] = Object.values(ARCHIVE_FORMATS)
  return formats.find(({ ending }) => name.toLowerCase().endsWith(ending))
}

/**
 * Compresses a word in every format, as proof that all their parts load.
 *
 * @returns the formats. @throws Error when one does not work
 */
export async function probeCodecs(): Promise<ArchiveToken[]> {
  const formats: [string, ArchiveFormat][] = Object.entries(ARCHIVE_FORMATS)
  for (const [token, { codec }] of formats) {
    const compress = await codec?.()
    if (!compress) continue
    let bytes = 0
    for await (const chunk of compress(
      once(new TextEncoder().encode('filemgr')),
      new AbortController().signal,
    ))
      bytes += chunk.length
    if (bytes === 0) throw new Error(`${token} makes nothing.`)
  }
  return Object.keys(ARCHIVE_FORMATS).filter(isToken)
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes
}

function isToken(text: string): text is ArchiveToken {
  return Object.hasOwn(ARCHIVE_FORMATS, text)
}
