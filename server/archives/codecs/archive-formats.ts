/** The archive formats and their codecs. */

import { Fault } from '#wire/fault.ts'
import { ARCHIVE_ENDINGS, type ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import type { Bytes } from '../member.ts'
import type { Codec } from './codecs.ts'

export interface ArchiveFormat {
  /** File extension of the download, with the dot. */
  ending: string
  mediaType: string
  container: 'zip' | 'tar'
  /** The compression of the container. Loaded on first use. */
  codec?: () => Promise<Codec>
}

/** By the name of the format in the API (docs/api.md 1.7). */
export const ARCHIVE_FORMATS = {
  zip: { ending: ARCHIVE_ENDINGS.zip, mediaType: 'application/zip', container: 'zip' },
  tar: { ending: ARCHIVE_ENDINGS.tar, mediaType: 'application/x-tar', container: 'tar' },
  targz: {
    ending: ARCHIVE_ENDINGS.targz,
    mediaType: 'application/gzip',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).gzip,
  },
  tarbz2: {
    ending: ARCHIVE_ENDINGS.tarbz2,
    mediaType: 'application/x-bzip2',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).bzip2,
  },
  tarxz: {
    ending: ARCHIVE_ENDINGS.tarxz,
    mediaType: 'application/x-xz',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).xz,
  },
  tarlz4: {
    ending: ARCHIVE_ENDINGS.tarlz4,
    mediaType: 'application/x-lz4',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).lz4,
  },
  tarsz: {
    ending: ARCHIVE_ENDINGS.tarsz,
    mediaType: 'application/x-snappy-framed',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).snappy,
  },
  tarbr: {
    ending: ARCHIVE_ENDINGS.tarbr,
    mediaType: 'application/x-brotli',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).brotli,
  },
  tarzst: {
    ending: ARCHIVE_ENDINGS.tarzst,
    mediaType: 'application/zstd',
    container: 'tar',
    codec: async () => (await import('./codecs.ts')).zstd,
  },
} as const satisfies Record<ArchiveFormatName, ArchiveFormat>

/**
 * Parses the name of a format, with or without dots: `targz`, `tar.gz`. An empty text and `true` mean zip.
 *
 * @throws Fault badRequest naming the format
 */
export function parseArchiveFormat(text = ''): ArchiveFormat {
  const name = text === '' || text === 'true' ? 'zip' : text.replaceAll('.', '')
  if (isFormatName(name)) return ARCHIVE_FORMATS[name]
  throw new Fault('badRequest', `${text} is not an archive format of this server.`)
}

/** @returns the format for a file name; undefined if there is none */
export function archiveFormatOf(name: string): ArchiveFormat | undefined {
  const formats: ArchiveFormat[] = Object.values(ARCHIVE_FORMATS)
  return formats.find(({ ending }) => name.toLowerCase().endsWith(ending))
}

/**
 * Compresses a word in every format, to verify that all codecs load.
 *
 * @returns the formats
 * @throws Error if one does not work
 */
export async function probeCodecs(): Promise<ArchiveFormatName[]> {
  const formats: [string, ArchiveFormat][] = Object.entries(ARCHIVE_FORMATS)
  for (const [name, { codec }] of formats) {
    const compress = await codec?.()
    if (!compress) continue
    let bytes = 0
    for await (const chunk of compress(
      once(new TextEncoder().encode('filemgr')),
      new AbortController().signal,
    ))
      bytes += chunk.length
    if (bytes === 0) throw new Error(`${name} makes nothing.`)
  }
  return Object.keys(ARCHIVE_FORMATS).filter(isFormatName)
}

async function* once(bytes: Uint8Array): Bytes {
  yield bytes
}

function isFormatName(text: string): text is ArchiveFormatName {
  return Object.hasOwn(ARCHIVE_FORMATS, text)
}
