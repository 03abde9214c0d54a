/** The subtitles that are stored in the file of a film, as WebVTT. They are cached beside the previews. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { CommandFolder } from '#server/storage/storage.ts'
import type { FilmSubtitle } from '#wire/api/media.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf } from '#wire/paths.ts'
import type { PreviewCache } from '../previews/preview-cache.ts'
import { defined, plainText } from './exif.ts'

type OpenFolder = () => Promise<CommandFolder>

/** Reads films; undefined where no program for them is installed. */
export interface SubtitleReader {
  streams(
    openFolder: OpenFolder,
    name: string,
  ): Promise<{ index: number; language: string | undefined; title: string | undefined }[]>
  webVtt(openFolder: OpenFolder, name: string, index: number): Promise<string | undefined>
}

/** The containers that the programs read. */
const FILMS = /\.(?:mkv|webm|mp4|m4v|mov)$/i
const SUBTITLES_MAX = 32

export class FilmSubtitles {
  readonly #cache: PreviewCache
  readonly #root: string
  readonly #reader: SubtitleReader | undefined

  /** @param root identifies the served tree in a shared cache */
  constructor(cache: PreviewCache, root: string, reader: SubtitleReader | undefined) {
    this.#cache = cache
    this.#root = root
    this.#reader = reader
  }

  /**
   * @returns the first 32 subtitles of text in a film; none without a program that reads it
   * @throws Fault unavailable (too many films are being read)
   */
  async list(scope: Scope, node: Node): Promise<FilmSubtitle[]> {
    const reader = this.#readerOf(node)
    if (!reader) return []
    return this.#cached(scope, node, 'subtitles', async () => {
      const streams = await reader.streams(openFolderOf(scope, node), nameOf(node.real))
      return streams.slice(0, SUBTITLES_MAX).map(({ index, language, title }) => ({
        index,
        ...defined({ language: languageTag(language), title: plainText(title ?? '') }),
      }))
    })
  }

  /**
   * @param index as in the list
   * @throws Fault notFound (there is no such subtitle), unprocessable (it cannot be read, or not within the limits),
   *   unavailable (too many films are being read)
   */
  async webVtt(scope: Scope, node: Node, index: number): Promise<string> {
    const listed = await this.list(scope, node)
    const reader = this.#readerOf(node)
    if (!reader || !listed.some((one) => one.index === index))
      throw new Fault('notFound', 'This film has no such subtitles.')
    const { text } = await this.#cached(scope, node, `subtitles ${index}`, async () => {
      const text = await reader.webVtt(openFolderOf(scope, node), nameOf(node.real), index)
      if (text === undefined)
        throw new Fault('unprocessable', 'The subtitles of this film cannot be read.')
      return { text }
    })
    return text
  }

  #readerOf(node: Node): SubtitleReader | undefined {
    return node.kind === 'file' && FILMS.test(nameOf(node.path)) ? this.#reader : undefined
  }

  async #cached<T extends object>(
    scope: Scope,
    node: Node,
    kind: string,
    read: () => Promise<T>,
  ): Promise<T> {
    const parts = [this.#root, scope.actor.scope, node.real, node.version, kind]
    const key = createHash('sha256').update(parts.join('\0')).digest('hex')
    const stored = await this.#cache.findFacts<T>(key)
    if (stored) return stored
    const made = await read()
    await this.#cache.putFacts(key, made)
    return made
  }
}

/** The program follows no links, so it gets the real path. */
function openFolderOf(scope: Scope, { real }: Node): OpenFolder {
  return () => scope.programs.openForThumbnailer(real)
}

/** The codes of ISO 639-2/B, which containers use for some languages. */
const BIBLIOGRAPHIC: Record<string, string> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  mao: 'mi',
  may: 'ms',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy',
}

/** @returns a tag of BCP 47; undefined for an invalid or unknown language */
function languageTag(code = 'und'): string | undefined {
  const [language = ''] = code.toLowerCase().split('-', 1)
  try {
    const [tag] = Intl.getCanonicalLocales(
      (BIBLIOGRAPHIC[language] ?? language) + code.slice(language.length),
    )
    return language === 'und' || language === 'zxx' ? undefined : tag
  } catch {
    return undefined
  }
}
