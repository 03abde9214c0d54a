/** Which picture for which size; each is made once, whoever asks at the same moment. */
import { createHash } from 'node:crypto'
import { Budget } from '#server/access/budget.ts'
import { CONCURRENCY_LIMITS, PICTURE_BYTES } from '#server/access/concurrency-limits.ts'
import type { Scope } from '#server/access/scope.ts'
import { Semaphore } from '#server/access/semaphore.ts'
import type { Node } from '#server/storage/node.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import type { EntryType } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import { typeByName } from './file-types.ts'
import type { CachedPreview, PreviewCache } from './preview-cache.ts'
import type { SvgRenderer } from './svg-renderer.ts'
import { type ThumbnailSize, thumbnail, unfoldedBytes } from './thumbnails.ts'

/** The sizes of the contract (1.8). */
export const PREVIEW_SIZES = {
  thumb: { width: 256, height: 256, fit: 'cover' },
  big: { width: 1080, height: 1080, fit: 'inside' },
} as const satisfies Record<string, ThumbnailSize>

export type PreviewSize = keyof typeof PREVIEW_SIZES

/** Which picture of a picture. */
export interface Wanted {
  size: PreviewSize
  as?: 'tiff' | undefined
}

/** A picture file of more bytes is not read into memory for a preview. */
const SOURCE_MAX_BYTES = 256 * 2 ** 20
/** Text that is drawn: more of it is hostile, or no preview's business. */
const SVG_MAX_BYTES = 10 * 2 ** 20
/** Where most formats say how large a picture is; behind a long profile in some. */
const HEADER_BYTES = 256 * 1024

/** A frame of a film, or the cover inside a song; undefined where there is none. */
export type Frames = (
  openFolder: () => Promise<CommandFolder>,
  name: string,
) => Promise<Uint8Array | undefined>

/** A picture in the making, and who waits for it. */
interface Rendering {
  picture: Promise<CachedPreview>
  gone: AbortSignal[]
}

export class Previews {
  readonly #cache: PreviewCache
  readonly #root: string
  readonly #rendering = new Map<string, Rendering>()
  readonly #semaphore: Semaphore
  readonly #memory = new Budget(PICTURE_BYTES)
  readonly #svgRenderer: SvgRenderer
  readonly #frames: Frames | undefined

  /**
   * @param root names the served tree among those that share a cache
   * @param atOnce how many pictures are drawn at the same time: each fills a core
   * @param by how vector drawings become pictures, and films and songs, where they can
   */
  constructor(
    cache: PreviewCache,
    root: string,
    atOnce: number,
    by: { svgRenderer: SvgRenderer; frames: Frames | undefined },
  ) {
    this.#cache = cache
    this.#root = root
    this.#semaphore = new Semaphore(CONCURRENCY_LIMITS.previews, atOnce)
    this.#svgRenderer = by.svgRenderer
    this.#frames = by.frames
  }

  /** Names the preview of a file as it is now: another content is another key. */
  keyOf(scope: Scope, node: Node, want: Wanted): string {
    const kind = want.as === undefined ? want.size : `${want.size} ${want.as}`
    const parts = [this.#root, scope.actor.scope, node.real, node.version, kind]
    return createHash('sha256').update(parts.join('\0')).digest('hex')
  }

  /** Whether there can be a preview of such a file. */
  shows(type: EntryType): boolean {
    return type === 'image' || (this.#frames !== undefined && isMedia(type))
  }

  /**
   * A preview of a picture, or of what a film or a song shows.
   *
   * @param gone a picture for which nobody waits any more when its turn comes is not drawn
   * @throws Fault forbidden, notFound, tooLarge, unsupported (no picture that can be read),
   *   unavailable (too many are waiting), aborted
   */
  async get(scope: Scope, node: Node, want: Wanted, gone: AbortSignal): Promise<CachedPreview> {
    const key = this.keyOf(scope, node, want)
    const kept = await this.#cache.find(key)
    if (kept) return kept
    const rendering = this.#rendering.get(key)
    if (rendering) {
      rendering.gone.push(gone)
      return rendering.picture
    }
    const all = [gone]
    const picture = this.#draw(key, scope, node, want, all)
    this.#rendering.set(key, { picture, gone: all })
    try {
      return await picture
    } finally {
      this.#rendering.delete(key)
    }
  }

  async #draw(
    key: string,
    scope: Scope,
    node: Node,
    want: Wanted,
    gone: readonly AbortSignal[],
  ): Promise<CachedPreview> {
    const media = isMedia(typeByName(node))
    if (!media && node.sizeBytes > SOURCE_MAX_BYTES) {
      throw new Fault('tooLarge', 'This picture is too large for a preview.')
    }
    if (isSvg(node)) return this.#renderSvg(key, scope, node, want.size)
    return this.#semaphore.run(async () => {
      if (gone.every(({ aborted }) => aborted)) throw new Fault('aborted', 'The client left.')
      const drawn = media
        ? await this.#drawFrame(scope, node, want.size)
        : await this.#drawPicture(scope, node, want)
      await this.#cache.put(key, drawn)
      return drawn
    })
  }

  /** In turns of its own: pictures do not wait for drawings. */
  async #renderSvg(
    key: string,
    scope: Scope,
    node: Node,
    size: PreviewSize,
  ): Promise<CachedPreview> {
    if (node.sizeBytes > SVG_MAX_BYTES) {
      throw new Fault('tooLarge', 'This drawing is too large for a preview.')
    }
    const drawn = await this.#svgRenderer.render(() => wholeOf(scope, node), PREVIEW_SIZES[size])
    await this.#cache.put(key, drawn)
    return drawn
  }

  /** Nothing of a picture is in memory before there is room for all of it. */
  async #drawPicture(scope: Scope, node: Node, { size, as }: Wanted): Promise<CachedPreview> {
    const weight = weightOf(await unfoldedBytes(await start(scope, node.path)), node.sizeBytes)
    return this.#memory.run(weight, async () =>
      thumbnail(await wholeOf(scope, node), { ...PREVIEW_SIZES[size], as }),
    )
  }

  async #drawFrame(scope: Scope, node: Node, size: PreviewSize): Promise<CachedPreview> {
    const frame = await this.#frame(scope, node)
    const weight = weightOf(await unfoldedBytes(frame), frame.length)
    return this.#memory.run(weight, () => thumbnail(frame, PREVIEW_SIZES[size]))
  }

  /** By its real name: the program that draws it follows no link. */
  async #frame(scope: Scope, { real }: Node): Promise<Uint8Array> {
    const frame = await this.#frames?.(() => scope.programs.openForThumbnailer(real), nameOf(real))
    if (frame) return frame
    throw new Fault('unprocessable', 'There is no picture in this file.')
  }
}

/** By its name: what is a drawing under another name is not drawn. */
function isSvg({ path }: Node): boolean {
  return /\.svgz?$/i.test(nameOf(path))
}

function isMedia(type: EntryType): boolean {
  return type === 'video' || type === 'audio'
}

/**
 * What a picture takes of the memory for all; one that does not say how large it is takes all of it.
 *
 * @throws Fault tooLarge when it would need more than there is
 */
function weightOf(unfolded: number | undefined, fileBytes: number): number {
  const weight = (unfolded ?? 0) + fileBytes
  if (weight > PICTURE_BYTES) {
    throw new Fault('tooLarge', 'This picture has too many pixels for a preview.')
  }
  return unfolded === undefined ? PICTURE_BYTES : weight
}

async function start(scope: Scope, path: TreePath): Promise<Uint8Array> {
  const { bytes } = await scope.read(path, () => ({ first: 0, last: HEADER_BYTES - 1 }))
  return new Response(bytes).bytes()
}

async function wholeOf(scope: Scope, { path }: Node): Promise<Uint8Array> {
  const { bytes } = await scope.read(path)
  return new Response(bytes).bytes()
}
