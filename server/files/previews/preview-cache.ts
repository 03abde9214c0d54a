/**
 * A disk cache of previews and of metadata, keyed by the content they were made from. The least recently used are
 * deleted when it is full. The modification time of a file is the time of its last use.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, promises } from 'node:fs'
import { join } from 'node:path'
import { cachedBytes } from '#server/os/cached-bytes.ts'
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
/** The media type of the metadata of pictures and films. */
const FACTS = 'application/json'
const ALL_ENDINGS: Record<string, string> = { ...ENDINGS, [FACTS]: 'json' }
/** The time of the last use is stored again after this time, because each change of it is written to the disk. */
const USE_STEP_MS = 60_000
/** How many files are examined at a time. */
const AT_ONCE = 64

/**
 * Opens the cache. If the default folder cannot be created, nothing is cached: in a container, for example, there is
 * no home folder.
 *
 * @param isChosen whether the operator has chosen the folder
 * @throws Fault forbidden if a chosen folder cannot be created
 */
export function openPreviewCache(
  folder: string,
  { limitBytes, isChosen }: { limitBytes: number; isChosen: boolean },
): PreviewCache {
  try {
    return new PreviewCache(folder, limitBytes)
  } catch (cause) {
    if (!isChosen) return new PreviewCache(folder, 0)
    const hint = 'Choose another folder with --cache-dir, or disable the cache with --cache-size 0.'
    throw new Fault('forbidden', `The folder ${folder} cannot be created. ${hint}`, { cause })
  }
}

export class PreviewCache {
  readonly #folder: string
  readonly #limitBytes: number
  /** About the size of all files; infinite until they are counted, when the first file is stored. */
  #totalBytes = Number.POSITIVE_INFINITY
  /** Settles when files were counted and, if needed, deleted; undefined while neither is done. */
  #makingSpace: Promise<void> | undefined

  /**
   * @param folder created with mode 0700 if it is missing
   * @param limitBytes 0: nothing is stored
   */
  constructor(folder: string, limitBytes: number) {
    this.#folder = folder
    this.#limitBytes = limitBytes
    if (limitBytes === 0) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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
      const bytes = await read(join(this.#folder, `${key}.${ending}`))
      if (bytes) return { bytes, type }
    }
    return undefined
  }

  /** Stores a preview. A write error is ignored, since the preview can be created again. */
  async put(key: string, { bytes, type }: CachedPreview): Promise<void> {
    const ending = ALL_ENDINGS[type]
    if (this.#limitBytes === 0 || !ending || bytes.length > this.#limitBytes) return
    const path = join(this.#folder, `${key}.${ending}`)
    const temporaryFile = `${path}.${randomBytes(6).toString('hex')}`
    try {
      await promises.writeFile(temporaryFile, bytes, { mode: 0o600 })
      await promises.rename(temporaryFile, path)
      this.#totalBytes += bytes.length
      if (this.#totalBytes > this.#limitBytes) await this.#makeSpaceOnce()
    } catch {
      await promises.rm(temporaryFile, { force: true })
    }
  }

  #makeSpaceOnce(): Promise<void> {
    this.#makingSpace ??= this.#makeSpace().finally(() => {
      this.#makingSpace = undefined
    })
    return this.#makingSpace
  }

  /** If the limit is exceeded, deletes the least recently used files until at most 90 % of it is used. */
  async #makeSpace(): Promise<void> {
    const files = await this.#files()
    this.#totalBytes = files.reduce((sum, { size }) => sum + size, 0)
    if (this.#totalBytes <= this.#limitBytes) return
    for (const { path, size } of files.sort((a, b) => a.usedMs - b.usedMs)) {
      if (this.#totalBytes <= this.#limitBytes * 0.9) break
      await promises.rm(path, { force: true })
      this.#totalBytes -= size
    }
  }

  async #files(): Promise<CacheFile[]> {
    const names = await promises.readdir(this.#folder)
    const files: CacheFile[] = []
    for (let first = 0; first < names.length; first += AT_ONCE) {
      const group = names.slice(first, first + AT_ONCE)
      const examined = await Promise.all(group.map((name) => examine(join(this.#folder, name))))
      files.push(...examined.filter((file) => file !== undefined))
    }
    return files
  }
}

/** @returns the bytes of a file; undefined if it does not exist, or was just deleted */
async function read(path: string): Promise<Uint8Array | undefined> {
  try {
    const file = openSync(path, 'r')
    try {
      const { size, mtimeMs } = fstatSync(file)
      const now = new Date()
      if (now.getTime() - mtimeMs > USE_STEP_MS) {
        void promises.utimes(path, now, now).catch(() => undefined)
      }
      return cachedBytes(file, 0, size) ?? (await promises.readFile(path))
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

interface CacheFile {
  path: string
  size: number
  usedMs: number
}

async function examine(path: string): Promise<CacheFile | undefined> {
  const stats = await promises.stat(path).catch(() => undefined)
  return stats?.isFile() ? { path, size: stats.size, usedMs: stats.mtimeMs } : undefined
}

/** @returns undefined for damaged data; the caller then creates it again */
function jsonOf<T>(bytes: Uint8Array): T | undefined {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
