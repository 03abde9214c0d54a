/**
 * A disk cache of previews, keyed by the content they were made from. The least recently used are deleted when it is
 * full.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync, promises, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '#wire/fault.ts'

export interface CachedPreview {
  bytes: Uint8Array
  type: string
}

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/tiff': 'tif',
}
/** The media type of the metadata of pictures and films, which the cache stores too. */
const FACTS = 'application/json'
const ALL_ENDINGS: Record<string, string> = { ...ENDINGS, [FACTS]: 'json' }

/**
 * Without a home folder, as in a container, there is no default location for previews, and none are cached.
 *
 * @param isNamed whether the operator has chosen the folder
 * @throws Fault forbidden if that folder cannot be created
 */
export function openPreviewCache(
  folder: string,
  { limitBytes, isNamed }: { limitBytes: number; isNamed: boolean },
): PreviewCache {
  try {
    return new PreviewCache(folder, limitBytes)
  } catch (cause) {
    if (!isNamed) return new PreviewCache(folder, 0)
    const hint = 'Name another with --cache-dir, or keep no previews with --cache-size 0.'
    throw new Fault('forbidden', `The folder ${folder} cannot be created. ${hint}`, { cause })
  }
}

export class PreviewCache {
  readonly #folder: string
  readonly #limitBytes: number
  /** The size of all files in the folder. */
  #heldBytes = 0

  /**
   * @param folder created with access for its owner only
   * @param limitBytes 0 disables the cache
   */
  constructor(folder: string, limitBytes: number) {
    this.#folder = folder
    this.#limitBytes = limitBytes
    if (limitBytes === 0) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#heldBytes = this.#files().reduce((sum, { size }) => sum + size, 0)
  }

  find(key: string): Promise<CachedPreview | undefined> {
    return this.#find(key, ENDINGS)
  }

  async findFacts<T>(key: string): Promise<T | undefined> {
    const stored = await this.#find(key, { [FACTS]: 'json' })
    return stored && jsonOf(stored.bytes)
  }

  putFacts(key: string, facts: object): Promise<void> {
    return this.put(key, { bytes: Buffer.from(JSON.stringify(facts)), type: FACTS })
  }

  async #find(key: string, endings: Record<string, string>): Promise<CachedPreview | undefined> {
    for (const [type, ending] of Object.entries(endings)) {
      const path = join(this.#folder, `${key}.${ending}`)
      try {
        const bytes = await promises.readFile(path)
        const now = new Date()
        utimesSync(path, now, now)
        return { bytes, type }
      } catch {
        // Not in this format, or removed since it was listed.
      }
    }
    return undefined
  }

  /** Stores a preview. A write error is ignored, since the preview can be made again. */
  async put(key: string, { bytes, type }: CachedPreview): Promise<void> {
    const ending = ALL_ENDINGS[type]
    if (this.#limitBytes === 0 || !ending || bytes.length > this.#limitBytes) return
    const path = join(this.#folder, `${key}.${ending}`)
    const temporaryFile = `${path}.${randomBytes(6).toString('hex')}`
    try {
      await promises.writeFile(temporaryFile, bytes, { mode: 0o600 })
      await promises.rename(temporaryFile, path)
      this.#heldBytes += bytes.length
      if (this.#heldBytes > this.#limitBytes) this.#makeSpace()
    } catch {
      await promises.rm(temporaryFile, { force: true })
    }
  }

  /** Deletes the least recently used files until a tenth is free. */
  #makeSpace(): void {
    const files = this.#files().sort((a, b) => a.usedMs - b.usedMs)
    let held = files.reduce((sum, { size }) => sum + size, 0)
    for (const { path, size } of files) {
      if (held <= this.#limitBytes * 0.9) break
      rmSync(path, { force: true })
      held -= size
    }
    this.#heldBytes = held
  }

  #files(): { path: string; size: number; usedMs: number }[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const path = join(this.#folder, name)
      const stats = statSync(path, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ path, size: stats.size, usedMs: stats.mtimeMs }] : []
    })
  }
}

/** @returns undefined for damaged data, which is then made again */
function jsonOf<T>(bytes: Uint8Array): T | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
