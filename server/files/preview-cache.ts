/** Previews kept on the disk, by the content they were made from; the oldest go when it is full. */

import { randomBytes } from 'node:crypto'
import { mkdirSync, promises, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

export interface CachedPreview {
  bytes: Uint8Array
  type: string
}

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/tiff': 'tif',
}

export class PreviewCache {
  readonly #folder: string
  readonly #limitBytes: number
  #heldBytes = 0

  /** @param folder made, for its owner alone, when it is missing; @param limitBytes 0 keeps nothing */
  constructor(folder: string, limitBytes: number) {
    this.#folder = folder
    this.#limitBytes = limitBytes
    if (limitBytes === 0) return
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#heldBytes = this.#files().reduce((sum, { size }) => sum + size, 0)
  }

  async find(key: string): Promise<CachedPreview | undefined> {
    for (const [type, ending] of Object.entries(ENDINGS)) {
      const path = join(this.#folder, `${key}.${ending}`)
      try {
        const bytes = await promises.readFile(path)
        const now = new Date()
        utimesSync(path, now, now)
        return { bytes, type }
      } catch {
        // Not in this format, or removed meanwhile: a cache forgets.
      }
    }
    return undefined
  }

  /** Keeps a preview. A cache that cannot be written is no error: the next request makes it again. */
  async put(key: string, { bytes, type }: CachedPreview): Promise<void> {
    const ending = ENDINGS[type]
    if (this.#limitBytes === 0 || !ending || bytes.length > this.#limitBytes) return
    const path = join(this.#folder, `${key}.${ending}`)
    const part = `${path}.${randomBytes(6).toString('hex')}`
    try {
      await promises.writeFile(part, bytes, { mode: 0o600 })
      await promises.rename(part, path)
      this.#heldBytes += bytes.length
      if (this.#heldBytes > this.#limitBytes) this.#makeSpace()
    } catch {
      await promises.rm(part, { force: true })
    }
  }

  /** Removes what was used longest ago until a tenth is free. */
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
