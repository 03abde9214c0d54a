/**
 * What may be on the disk. While a change is under way both its beginning and its end are right; once
 * it is answered, only its end is.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file's content by its digest; undefined is no file. */
export type Content = string | undefined

export function digest(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

export class ExpectedState {
  readonly #root: string
  readonly #known = new Map<string, Content>()
  readonly #open = new Set<Change>()

  constructor(root: string) {
    this.#root = root
  }

  content(path: string): Content {
    return this.#known.get(path)
  }

  /** Paths that hold a file, below a folder. */
  files(folder: string): string[] {
    return [...this.#known].flatMap(([path, content]) =>
      content !== undefined && path.startsWith(`${folder}/`) ? [path] : [],
    )
  }

  /**
   * A change begins.
   *
   * @param after what the paths hold when it is done
   * @returns call it when the server has answered that it is done
   */
  begin(after: Record<string, Content>): () => void {
    const change = { before: this.#now(Object.keys(after)), after }
    this.#open.add(change)
    return () => {
      this.#open.delete(change)
      for (const [path, content] of Object.entries(after)) this.#known.set(path, content)
    }
  }

  /**
   * Compares the disk with what may be there, and takes what is there for known from now on.
   *
   * @returns a sentence for each file that is neither its old nor its new self, and for each name that
   *   nobody made
   */
  settle(): string[] {
    const wrong: string[] = []
    for (const { before, after } of this.#open) {
      const found = this.#onDisk(Object.keys(after))
      if (!isSame(found, before) && !isSame(found, after) && !isBetween(found, before, after)) {
        wrong.push(`between ${show(before)} and ${show(after)} there is ${show(found)}`)
      }
      for (const [path, content] of Object.entries(found)) this.#known.set(path, content)
    }
    this.#open.clear()
    for (const [path, content] of this.#known) {
      const found = this.#read(path)
      if (found !== content) wrong.push(`${path} should hold ${content} and holds ${found}`)
    }
    for (const path of this.#names('')) {
      if (this.#known.get(path) === undefined) wrong.push(`nobody made ${path}`)
    }
    return wrong
  }

  #now(paths: string[]): Record<string, Content> {
    return Object.fromEntries(paths.map((path) => [path, this.#known.get(path)]))
  }

  #onDisk(paths: string[]): Record<string, Content> {
    return Object.fromEntries(paths.map((path) => [path, this.#read(path)]))
  }

  #read(path: string): Content {
    const found = join(this.#root, path)
    return existsSync(found) && statSync(found).isFile() ? digest(readFileSync(found)) : undefined
  }

  #names(folder: string): string[] {
    return readdirSync(join(this.#root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (folder === '' && entry.name === '.filemgr') return []
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      return entry.isDirectory() ? this.#names(path) : [path]
    })
  }
}

interface Change {
  before: Record<string, Content>
  after: Record<string, Content>
}

type State = Record<string, Content>

function isSame(a: State, b: State): boolean {
  return Object.keys(b).every((path) => a[path] === b[path])
}

/**
 * A move or a copy of several names may stop after some of them; each is then its old or its new self,
 * and no content that was there before is gone altogether unless the change removes it.
 */
function isBetween(found: State, before: State, after: State): boolean {
  const each = Object.keys(after).every((path) => [before[path], after[path]].includes(found[path]))
  const kept = Object.values(before).filter((content) => Object.values(after).includes(content))
  return each && kept.every((content) => Object.values(found).includes(content))
}

function show(state: State): string {
  return Object.entries(state)
    .map(([path, content]) => `${path}=${content?.slice(0, 8) ?? 'nothing'}`)
    .join(' ')
}
