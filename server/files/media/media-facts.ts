/**
 * Reads the metadata of pictures, videos and audio files from a limited part of each, and caches it beside the
 * previews.
 */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { Node } from '#server/storage/node.ts'
import type { AlbumFacts, FolderMedia, MediaFacts } from '#wire/api/media.ts'
import { isFault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { PICTURE_HEAD_BYTES } from '../content/file.ts'
import { typeByName } from '../file-types.ts'
import type { PreviewCache } from '../previews/preview-cache.ts'
import { pictureHeader } from '../previews/thumbnails.ts'
import { FileByteReader } from './byte-reader.ts'
import { type FilePart, readCr3 } from './cr3.ts'
import { defined, readExif, readExifBlocks } from './exif.ts'
import { filmFacts } from './film-facts.ts'
import { isRawName } from './raw-picture.ts'
import { soundFacts, tagsIn } from './sound-facts.ts'

/** Part of the cache key; it changes when the parsing changes. */
const KIND = 'facts 4'
/** Files of one folder that are read in parallel. */
const AT_ONCE = 4

/** Reads the metadata of media files, through a cache. */
export class MediaReader {
  readonly #cache: PreviewCache
  readonly #root: string

  /** @param root identifies the served tree in a shared cache */
  constructor(cache: PreviewCache, root: string) {
    this.#cache = cache
    this.#root = root
  }

  /**
   * @returns the metadata of a file; empty if it is not media, or damaged
   * @throws Fault forbidden, notFound
   */
  async of(scope: Scope, node: Node): Promise<MediaFacts> {
    if (!(typeByName(node) in READERS)) return {}
    const key = this.#keyOf(scope, node)
    const stored = await this.#cache.findFacts<MediaFacts>(key)
    if (stored) return stored
    const facts = await factsOf(scope, node)
    await this.#cache.putFacts(key, facts)
    return facts
  }

  /**
   * The metadata for a gallery of a folder, as much as the time limit allows.
   *
   * @param from how many files, in the order of their names, to skip
   * @param clientLeft aborted when the client leaves; then the rest is left out
   * @throws Fault forbidden, notFound, notDirectory
   */
  async ofFolder(
    scope: Scope,
    path: TreePath,
    from: number,
    clientLeft: AbortSignal,
  ): Promise<FolderMedia> {
    const media = (await scope.list(path)).filter((node) => IN_GALLERY.has(typeByName(node)))
    media.sort((a, b) => (a.path < b.path ? -1 : 1))
    const page = media.slice(from, from + SERVER_LIMITS.mediaFolderFiles)
    const items: FolderMedia['items'] = []
    const endMs = performance.now() + SERVER_LIMITS.mediaFolderMs
    while (items.length < page.length && !clientLeft.aborted) {
      if (items.length > 0 && performance.now() > endMs) break
      const group = page.slice(items.length, items.length + AT_ONCE)
      items.push(...(await Promise.all(group.map((node) => this.#albumItem(scope, node)))))
    }
    const next = from + items.length
    return next < media.length ? { items, next } : { items }
  }

  /** A file that was removed or may not be read has no metadata. */
  async #albumItem(scope: Scope, node: Node): Promise<FolderMedia['items'][number]> {
    const name = nameOf(node.path)
    try {
      return { name, ...albumFactsOf(await this.of(scope, node)) }
    } catch (error) {
      if (isFault(error)) return { name }
      throw error
    }
  }

  #keyOf(scope: Scope, { real, version }: Node): string {
    const parts = [this.#root, scope.actor.scope, real, version, KIND]
    return createHash('sha256').update(parts.join('\0')).digest('hex')
  }
}

/** The metadata for share visitors, without camera and location. */
export function albumFactsOf({ width, height, seconds, taken }: MediaFacts): AlbumFacts {
  return defined({ width, height, seconds, taken })
}

const IN_GALLERY: ReadonlySet<string> = new Set(['image', 'video'])

/** @throws Fault as `Scope.read` */
async function factsOf(scope: Scope, node: Node): Promise<MediaFacts> {
  const reader = new FileByteReader(node.sizeBytes, async (first, last) => {
    const { bytes } = await scope.read(node.path, () => ({ first, last }))
    return new Response(bytes).bytes()
  })
  const read = READERS[typeByName(node) as keyof typeof READERS]
  const start = async () => {
    const last = Math.min(node.sizeBytes, PICTURE_HEAD_BYTES) - 1
    if (last < 0) return new Uint8Array()
    const { bytes } = await scope.read(node.path, () => ({ first: 0, last }))
    return new Response(bytes).bytes()
  }
  // Most raw files of cameras are an Exif block themselves. The size in it is that of a small picture inside.
  if (!isRawName(nameOf(node.path))) return read(reader, start)
  return (await cr3Facts(reader)) ?? readExif(await start())
}

async function cr3Facts(reader: FileByteReader): Promise<MediaFacts | undefined> {
  const cr3 = await readCr3(reader)
  if (!cr3) return undefined
  const { CMT1, CMT2, CMT4 } = cr3.blocks
  const [main, exif, gps] = [await bytesOf(CMT1), await bytesOf(CMT2), await bytesOf(CMT4)]
  return readExifBlocks(main, exif, gps)

  async function bytesOf(part: FilePart | undefined): Promise<Uint8Array> {
    const view = part && (await reader.at(part.start, part.sizeBytes))
    return view ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array()
  }
}

const READERS = {
  image: (_: FileByteReader, start: () => Promise<Uint8Array>) => pictureFacts(start),
  video: filmFacts,
  audio: async (reader: FileByteReader, start: () => Promise<Uint8Array>) => ({
    ...tagsIn(await start()),
    ...(await soundFacts(reader)),
  }),
} satisfies Record<
  string,
  (reader: FileByteReader, start: () => Promise<Uint8Array>) => Promise<MediaFacts>
>

async function pictureFacts(start: () => Promise<Uint8Array>): Promise<MediaFacts> {
  const header = await pictureHeader(await start())
  if (!header) return {}
  return { ...header.size, ...(header.exif && readExif(header.exif)) }
}
