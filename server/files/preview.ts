/** Which picture for which size; each is made once, whoever asks at the same moment. */
import { createHash } from 'node:crypto'
import { BOUNDS } from '#server/access/bounds.ts'
import type { Scope } from '#server/access/scope.ts'
import { Turns } from '#server/access/turns.ts'
import type { Node, Workplace } from '#server/storage/storage.ts'
import type { EntryType } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf } from '#wire/paths.ts'
import { typeByName } from './kinds.ts'
import type { CachedPreview, PreviewCache } from './preview-cache.ts'
import { type ThumbnailSize, thumbnail } from './thumbnails.ts'

/** The sizes of the contract (1.8). */
export const PREVIEW_SIZES = {
  thumb: { width: 256, height: 256, fit: 'cover' },
  big: { width: 1080, height: 1080, fit: 'inside' },
} as const satisfies Record<string, ThumbnailSize>

export type PreviewSize = keyof typeof PREVIEW_SIZES

/** A picture file of more bytes is not read into memory for a preview. */
const SOURCE_MAX_BYTES = 256 * 2 ** 20

/** A frame of a film, or the cover inside a song; undefined where there is none. */
export type Frames = (
  place: () => Promise<Workplace>,
  name: string,
) => Promise<Uint8Array | undefined>

export class Previews {
  readonly #cache: PreviewCache
  readonly #root: string
  readonly #drawing = new Map<string, Promise<CachedPreview>>()
  readonly #turns: Turns
  readonly #frames: Frames | undefined

  /**
   * @param root names the served tree among those that share a cache
   * @param atOnce how many pictures are drawn at the same time: each fills a core
   * @param frames how films and songs become pictures, where they can
   */
  constructor(cache: PreviewCache, root: string, atOnce: number, frames?: Frames) {
    this.#cache = cache
    this.#root = root
    this.#turns = new Turns(BOUNDS.previews, atOnce)
    this.#frames = frames
  }

  /** Names the preview of a file as it is now: another content is another key. */
  keyOf(scope: Scope, node: Node, size: PreviewSize): string {
    const parts = [this.#root, scope.actor.scope, node.real, node.version, size]
    return createHash('sha256').update(parts.join('\0')).digest('hex')
  }

  /** Whether there can be a preview of such a file. */
  shows(type: EntryType): boolean {
    return type === 'image' || (this.#frames !== undefined && isMedia(type))
  }

  /**
   * A preview of a picture, or of what a film or a song shows.
   *
   * @throws Fault forbidden, notFound, tooLarge, unsupported (no picture that can be read),
   *   unavailable (too many are waiting)
   */
  async get(scope: Scope, node: Node, size: PreviewSize): Promise<CachedPreview> {
    const key = this.keyOf(scope, node, size)
    const kept = await this.#cache.find(key)
    if (kept) return kept
    const drawing = this.#drawing.get(key) ?? this.#draw(key, scope, node, size)
    this.#drawing.set(key, drawing)
    try {
      return await drawing
    } finally {
      this.#drawing.delete(key)
    }
  }

  async #draw(key: string, scope: Scope, node: Node, size: PreviewSize): Promise<CachedPreview> {
    const media = isMedia(typeByName(node))
    if (!media && node.sizeBytes > SOURCE_MAX_BYTES) {
      throw new Fault('tooLarge', 'This picture is too large for a preview.')
    }
    return this.#turns.run(async () => {
      const source = media ? await this.#frame(scope, node) : await wholeOf(scope, node)
      const drawn = await thumbnail(source, PREVIEW_SIZES[size])
      await this.#cache.put(key, drawn)
      return drawn
    })
  }

  async #frame(scope: Scope, { path }: Node): Promise<Uint8Array> {
    const frame = await this.#frames?.(() => scope.workshop(path), nameOf(path))
    if (frame) return frame
    throw new Fault('unprocessable', 'There is no picture in this file.')
  }
}

function isMedia(type: EntryType): boolean {
  return type === 'video' || type === 'audio'
}

async function wholeOf(scope: Scope, { path }: Node): Promise<Uint8Array> {
  const { bytes } = await scope.read(path)
  return new Response(bytes).bytes()
}
