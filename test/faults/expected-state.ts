/**
 * The state of files that is allowed on the disk. During a change, the state before and the state after it are allowed;
 * after its response, only the state after it.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The digest of the content of a file; undefined if there is no file. */
export type Content = string | undefined

export function digest(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
}

/** Records changes as they are requested, and compares the disk with them. Paths are relative to the root. */
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

  /** The paths of the files below a folder. */
  files(folder: string): string[] {
    return [...this.#known].flatMap(([path, content]) =>
      content !== undefined && path.startsWith(`${folder}/`) ? [path] : [],
    )
  }

  /**
   * Records that a change begins.
   *
   * @param after the content of each changed path after the change
   * @returns a function to call after the server has responded with success
   */
  begin(after: Record<string, Content>): () => void {
    const change = { before: this.#knownOf(Object.keys(after)), after }
    this.#open.add(change)
    return () => {
      this.#open.delete(change)
      for (const [path, content] of Object.entries(after)) this.#known.set(path, content)
    }
  }

  /**
   * Compares the disk with the allowed states. Of each change without a response, the state on the disk is the known one
   * from now on.
   *
   * @returns a message for each file whose content is neither that before nor that after a change, and for each file
   *   that no change created
   */
  settle(): string[] {
    const wrong: string[] = []
    for (const { before, after } of this.#open) {
      const found = this.#onDisk(Object.keys(after))
      if (!isSame(found, before) && !isSame(found, after) && !isBetween(found, before, after)) {
        wrong.push(`between ${show(before)} and ${show(after)}, the disk has ${show(found)}`)
      }
      for (const [path, content] of Object.entries(found)) this.#known.set(path, content)
    }
    this.#open.clear()
    for (const [path, content] of this.#known) {
      const found = this.#read(path)
      if (found !== content) wrong.push(`${path} should contain ${content} and contains ${found}`)
    }
    for (const path of this.#names('')) {
      if (this.#known.get(path) === undefined) wrong.push(`no change created ${path}`)
    }
    return wrong
  }

  #knownOf(paths: string[]): Record<string, Content> {
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
 * A move or copy of several names may stop after some of them. Then each name has its old or its new content, and content
 * that the change does not remove exists at least once.
 */
function isBetween(found: State, before: State, after: State): boolean {
  const isEachAllowed = Object.keys(after).every((path) =>
    [before[path], after[path]].includes(found[path]),
  )
  const kept = Object.values(before).filter((content) => Object.values(after).includes(content))
  return isEachAllowed && kept.every((content) => Object.values(found).includes(content))
}

function show(state: State): string {
  return Object.entries(state)
    .map(([path, content]) => `${path}=${content?.slice(0, 8) ?? 'nothing'}`)
    .join(' ')
}
