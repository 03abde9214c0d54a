/** Previews of files. Concurrent requests for the same preview share one rendering. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import { CONCURRENCY_LIMITS, PREVIEW_MEMORY_BYTES } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'
import type { Node } from '#server/storage/node.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import type { EntryType } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import {
  isRenderedDocument,
  isSpreadsheet,
  isTableName,
  mayHavePicture,
} from '#wire/formats/document-pictures.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { typeByName } from '../file-types.ts'
import { rotatedJpeg, withoutExif } from '../media/jpeg-orientation.ts'
import { isRawName } from '../media/raw-picture.ts'
import { documentPicture } from './document-pictures.ts'
import type { CachedPreview, PreviewCache } from './preview-cache.ts'
import { PreviewFailures } from './preview-failures.ts'
import { rawPicture } from './raw-preview.ts'
import { sheetCells, tableCells } from './sheet-cells.ts'
import { sheetPicture } from './sheet-picture.ts'
import type { SvgRenderer } from './svg-renderer.ts'
import { decodeStart, TEXT_START_BYTES, textPicture } from './text-picture.ts'
import {
  decodedBytes,
  edited,
  isWhite,
  type PictureEdit,
  type ThumbnailSize,
  thumbnail,
} from './thumbnails.ts'

/** The preview sizes: those of File Browser, one for rows of pictures and one inside a page (docs/api.md 1.8). */
export const PREVIEW_SIZES = {
  thumb: { width: 256, height: 256, fit: 'cover' },
  row: { width: 640, height: 480, fit: 'inside' },
  small: { width: 320, height: 320, fit: 'inside' },
  big: { width: 1080, height: 1080, fit: 'inside' },
} as const satisfies Record<string, ThumbnailSize>

export type PreviewSize = keyof typeof PREVIEW_SIZES

/** What previews are made of: the files of a scope, or content of its trash, which programs cannot open. */
export type PreviewSource = Pick<Scope, 'actor' | 'read'> & {
  programs?: Pick<Scope['programs'], 'openForThumbnailer'>
}

/** Size and format of a preview. */
export interface PreviewRequest {
  size: PreviewSize
  as?: 'tiff' | undefined
}

/** Larger picture files are not read for a preview. */
const SOURCE_MAX_BYTES = 256 * 2 ** 20
/** Larger SVG files are not rendered. */
const SVG_MAX_BYTES = 10 * 2 ** 20
/** Most formats store the picture size in this part, some behind a long profile. */
const HEADER_BYTES = 256 * 1024

const NO_PICTURE = 'There is no picture in this file.'

/** Makes a picture of a file with a program; undefined if there is none. */
export type PictureExtractor = (
  openFolder: () => Promise<CommandFolder>,
  name: string,
) => Promise<Uint8Array | undefined>

/** Thrown if a file contains no picture, although files of its kind may contain one, such as a cover. */
export class NoPictureFault extends Fault {}

/** Requests have a limit for each user; what they render has a common queue. */
const { perKey: _, ...RENDERED } = CONCURRENCY_LIMITS.previews
const MEMORY = { ...RENDERED, what: 'bytes of previews being rendered', all: PREVIEW_MEMORY_BYTES }

/** A running rendering and the requests that wait for it. */
interface Rendering {
  picture: Promise<CachedPreview>
  /** One signal for each request; aborted when its client leaves. */
  clientLeft: AbortSignal[]
}

export class Previews {
  readonly #cache: PreviewCache
  readonly #root: string
  readonly #failures = new PreviewFailures()
  /** Cache key → the rendering in progress. */
  readonly #rendering = new Map<string, Rendering>()
  readonly #atWork: Limiter
  readonly #memory = new Limiter(MEMORY)
  readonly #svgRenderer: SvgRenderer
  readonly #frames: PictureExtractor | undefined
  readonly #pages: PictureExtractor | undefined
  readonly #documents: PictureExtractor | undefined
  readonly #heif: PictureExtractor | undefined

  /**
   * @param root identifies the served tree in a shared cache
   * @param atOnce how many pictures are rendered in parallel; each uses one core
   * @param renderers for SVG, media, PDF, office and HEIC files, as far as they are available
   */
  constructor(
    cache: PreviewCache,
    root: string,
    atOnce: number,
    renderers: {
      svgRenderer: SvgRenderer
      frames: PictureExtractor | undefined
      pages?: PictureExtractor | undefined
      documents?: PictureExtractor | undefined
      heif?: PictureExtractor | undefined
    },
  ) {
    this.#cache = cache
    this.#root = root
    this.#atWork = new Limiter({ ...RENDERED, all: atOnce })
    this.#svgRenderer = renderers.svgRenderer
    this.#frames = renderers.frames
    this.#pages = renderers.pages
    this.#documents = renderers.documents
    this.#heif = renderers.heif
  }

  /** The cache key of a preview; it changes with the content. */
  keyOf(source: PreviewSource, node: Node, want: PreviewRequest): string {
    const kind = want.as === undefined ? want.size : `${want.size} ${want.as}`
    const parts = [this.#root, source.actor.scope, node.real, node.version, kind]
    return createHash('sha256').update(parts.join('\0')).digest('hex')
  }

  /** Whether files of this type or name have previews. */
  hasPreview(type: EntryType, name: string): boolean {
    if (isHeifName(name)) return this.#heif !== undefined
    if (type === 'image' || isText(type)) return true
    if (isSpreadsheet(name) || mayHavePicture(name)) return true
    return this.#extractorOf(type, name) !== undefined
  }

  /**
   * @param clientLeft aborted if the client has left; a rendering without waiting clients is not started
   * @returns the preview of a picture, video, audio, PDF, document or text file
   * @throws NoPictureFault; Fault forbidden, notFound, tooLarge, unsupported (unknown format), unprocessable (damaged, or
   *   not drawn in time), unavailable (too many are waiting), aborted
   */
  async get(
    source: PreviewSource,
    node: Node,
    want: PreviewRequest,
    clientLeft: AbortSignal,
  ): Promise<CachedPreview> {
    if (isText(typeByName(node)) && !this.#extractorOf('text', nameOf(node.path))) {
      const { height } = PREVIEW_SIZES[want.size]
      const start = await startOf(source, node.path, TEXT_START_BYTES)
      const cells = isTableName(nameOf(node.path)) ? tableCells(decodeStart(start)) : undefined
      return cells ? sheetPicture(cells, height) : textPicture(start, height)
    }
    const key = this.keyOf(source, node, want)
    const stored = await this.#cache.find(key)
    if (stored) return stored
    const failure = this.#failures.find(key)
    if (failure) throw failure
    const rendering = this.#rendering.get(key)
    if (rendering) {
      rendering.clientLeft.push(clientLeft)
      return rendering.picture
    }
    const waiting = [clientLeft]
    const picture = this.#draw(key, source, node, want, waiting)
    this.#rendering.set(key, { picture, clientLeft: waiting })
    try {
      return await picture
    } catch (error) {
      this.#failures.add(key, error)
      throw error
    } finally {
      this.#rendering.delete(key)
    }
  }

  /**
   * @returns the content of a picture after a rotation, by which a JPEG loses nothing, or a crop
   * @throws Fault forbidden, notFound, tooLarge, unsupported (another format), badRequest (the area is not in the picture),
   *   unprocessable (damaged), unavailable
   */
  async edited(scope: Scope, node: Node, edit: PictureEdit): Promise<Uint8Array> {
    if (typeByName(node) !== 'image' || isSvg(node)) {
      throw new Fault('unsupported', 'Only pictures can be rotated and cropped.')
    }
    requireReadable(node)
    return this.#atWork.run(() =>
      this.#inMemory(scope, node, async (content) => {
        const rotated = 'quarters' in edit ? rotatedJpeg(content, edit.quarters) : undefined
        return rotated ?? edited(content, edit)
      }),
    )
  }

  #extractorOf(type: EntryType, name: string): PictureExtractor | undefined {
    if (isRenderedDocument(name)) return this.#documents
    if (type === 'pdf') return this.#pages
    return type === 'video' || type === 'audio' ? this.#frames : undefined
  }

  async #draw(
    key: string,
    source: PreviewSource,
    node: Node,
    want: PreviewRequest,
    clientLeft: readonly AbortSignal[],
  ): Promise<CachedPreview> {
    const type = typeByName(node)
    const isPicture = type === 'image'
    if (isPicture) requireReadable(node)
    if (isSvg(node)) return this.#renderSvg(key, source, node, want.size)
    return this.#atWork.run(async () => {
      if (clientLeft.every(({ aborted }) => aborted))
        throw new Fault('aborted', 'The client closed the connection.')
      const drawn = isPicture
        ? await this.#drawPicture(source, node, want)
        : await this.#drawExtract(source, node, want.size)
      await this.#cache.put(key, drawn)
      return drawn
    })
  }

  /** SVG files have a queue of their own. */
  async #renderSvg(
    key: string,
    source: PreviewSource,
    node: Node,
    size: PreviewSize,
  ): Promise<CachedPreview> {
    if (node.sizeBytes > SVG_MAX_BYTES) {
      throw new Fault('tooLarge', 'This drawing is too large for a preview.')
    }
    const drawn = await this.#svgRenderer.render(() => wholeOf(source, node), PREVIEW_SIZES[size])
    await this.#cache.put(key, drawn)
    return drawn
  }

  async #drawPicture(
    source: PreviewSource,
    node: Node,
    { size, as }: PreviewRequest,
  ): Promise<CachedPreview> {
    const inside = await this.#pictureInside(source, node)
    if (inside) {
      const weight = memoryFor(await decodedBytes(inside), inside.length)
      return this.#memory.run(() => thumbnail(inside, { ...PREVIEW_SIZES[size], as }), weight)
    }
    return this.#inMemory(source, node, (content) =>
      thumbnail(content, { ...PREVIEW_SIZES[size], as }),
    )
  }

  /** The JPEG in a raw file, or that of a HEIC file, whose compression the image library does not know. */
  async #pictureInside(source: PreviewSource, node: Node): Promise<Uint8Array | undefined> {
    const name = nameOf(node.path)
    if (isRawName(name)) return rawPicture(source, node)
    const { programs } = source
    if (!isHeifName(name) || !programs) return undefined
    const jpeg = await this.#heif?.(() => programs.openForThumbnailer(node.real), nameOf(node.real))
    // The decoder has turned the pixels, but older versions leave the orientation in the metadata.
    return jpeg && withoutExif(jpeg)
  }

  /** The picture is read when there is memory for it. */
  async #inMemory<T>(
    source: PreviewSource,
    node: Node,
    work: (content: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const weight = memoryFor(
      await decodedBytes(await startOf(source, node.path, HEADER_BYTES)),
      node.sizeBytes,
    )
    return this.#memory.run(async () => work(await wholeOf(source, node)), weight)
  }

  async #drawExtract(source: PreviewSource, node: Node, size: PreviewSize): Promise<CachedPreview> {
    const cells = isSpreadsheet(nameOf(node.path)) ? await sheetCells(source, node) : undefined
    if (cells) return sheetPicture(cells, PREVIEW_SIZES[size].height)
    const extract = await this.#extract(source, node)
    const weight = memoryFor(await decodedBytes(extract), extract.length)
    // The top of a page shows more than its middle.
    const name = nameOf(node.path)
    const isPage = typeByName(node) === 'pdf' || mayHavePicture(name) || isRenderedDocument(name)
    const position = isPage ? ('top' as const) : undefined
    const draw = () => thumbnail(extract, { ...PREVIEW_SIZES[size], position })
    return this.#memory.run(draw, weight)
  }

  async #isBlank(picture: Uint8Array): Promise<boolean> {
    const weight = memoryFor(await decodedBytes(picture), picture.length)
    return this.#memory.run(() => isWhite(picture), weight)
  }

  async #extract(source: PreviewSource, node: Node): Promise<Uint8Array> {
    const name = nameOf(node.path)
    const inside = mayHavePicture(name) ? await documentPicture(source, node) : undefined
    if (inside && !(await this.#isBlank(inside))) return inside
    // The program follows no links, so it gets the real path.
    const { real } = node
    const type = typeByName(node)
    const { programs } = source
    if (!programs) throw new NoPictureFault('unprocessable', NO_PICTURE)
    const extractor = this.#extractorOf(type, name)
    const extract = await extractor?.(() => programs.openForThumbnailer(real), nameOf(real))
    if (extract) return extract
    // Every film and every page can be drawn, so no picture of them is a failure.
    if (type === 'audio' || !extractor) throw new NoPictureFault('unprocessable', NO_PICTURE)
    throw new Fault('unprocessable', NO_PICTURE)
  }
}

function isText(type: EntryType): boolean {
  return type === 'text' || type === 'textImmutable'
}

/** Pictures of phones; cameras write `hif`. */
function isHeifName(name: string): boolean {
  return /\.(?:heic|heif|hif)$/i.test(name)
}

/** @throws Fault tooLarge */
function requireReadable({ sizeBytes }: Node): void {
  if (sizeBytes > SOURCE_MAX_BYTES) {
    throw new Fault('tooLarge', 'This picture is too large for a preview.')
  }
}

/** Only the name decides: an SVG file with another ending is not rendered. */
function isSvg({ path }: Node): boolean {
  return /\.svgz?$/i.test(nameOf(path))
}

/**
 * The bytes of `PREVIEW_MEMORY_BYTES` that a picture needs; all of them if its decoded size is unknown.
 *
 * @throws Fault tooLarge if it needs more than the total
 */
function memoryFor(decoded: number | undefined, fileBytes: number): number {
  const weight = (decoded ?? 0) + fileBytes
  if (weight > PREVIEW_MEMORY_BYTES) {
    throw new Fault('tooLarge', 'This picture has too many pixels for a preview.')
  }
  return decoded === undefined ? PREVIEW_MEMORY_BYTES : weight
}

async function startOf(source: PreviewSource, path: TreePath, length: number): Promise<Uint8Array> {
  const { bytes } = await source.read(path, () => ({ first: 0, last: length - 1 }))
  return new Response(bytes).bytes()
}

async function wholeOf(source: PreviewSource, { path }: Node): Promise<Uint8Array> {
  const { bytes } = await source.read(path)
  return new Response(bytes).bytes()
}
