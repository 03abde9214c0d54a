/**
 * Where names that differ only by case are one name: asked of each file system below the root, and, where a
 * file system ignores case folder by folder, of each folder on the way.
 */
import { readdirSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { TreePath } from '#wire/paths.ts'
import { diskPath, type Handle, identityAt } from './handle.ts'
import { openExactly } from './local-resolve.ts'
import { MarkedFolders } from './marked-folders.ts'

/** Names of a folder that are tried. */
const TRIES = 16

export class FoldsCase {
  readonly #marked: MarkedFolders
  readonly #root: boolean
  /** By device; a device whose names could not tell is asked again. */
  readonly #known = new Map<number, boolean>()

  /** @param root the caller's to close, after the last question */
  constructor(root: Handle) {
    this.#marked = new MarkedFolders(root)
    this.#root = this.at(root)
  }

  /** Whether it does so at the served root. */
  get atRoot(): boolean {
    return this.#root
  }

  /** Whether names that differ only by case are one name where an open object lies. @param stats what it is */
  at(object: Handle, { dev }: Pick<Stats, 'dev'> = object.stat()): boolean {
    const known = this.#known.get(dev)
    if (known === true || this.#marked.leadTo(object)) return true
    if (known === false) return false
    const folds = namesNear(object).map((path) => isFolded(path))
    const answer = folds.find((fold) => fold !== undefined)
    if (answer !== undefined) this.#known.set(dev, answer)
    return answer ?? false
  }

  /** Whether it is known that case tells names apart where an open object lies: a thing has one spelling there. */
  isKnownNot(object: Handle, stats: Pick<Stats, 'dev'>): boolean {
    return !this.at(object, stats) && this.#known.get(stats.dev) === false
  }
}

/**
 * As `openExactly`, where the file system does not ignore case either: the path is the real name.
 *
 * @throws as that
 */
export function openPlainly(
  folder: Handle,
  path: TreePath,
  folds: FoldsCase,
): { object: Handle; stats: Stats } | undefined {
  const object = openExactly(folder, path)
  if (!object) return undefined
  const stats = object.stat()
  if (folds.isKnownNot(object, stats)) return { object, stats }
  object.close()
  return undefined
}

/** Paths of things on the same file system: what a folder holds, or the file itself. */
function namesNear(object: Handle): string[] {
  if (!object.stat().isDirectory()) return [object.realPath()]
  return readdirSync(object.disk)
    .slice(0, TRIES)
    .map((name) => `${object.disk}/${name}`)
}

/**
 * Whether a thing is found under its name in the other case; undefined when that cannot be told: the
 * name has no letter that every file system folds, or the thing went meanwhile.
 */
function isFolded(path: string): boolean | undefined {
  const folder = dirname(path)
  const name = path.slice(folder.length + 1)
  const other = name.replace(/[a-z]+|[A-Z]+/g, (letters) =>
    /^[a-z]/.test(letters) ? letters.toUpperCase() : letters.toLowerCase(),
  )
  if (other === name) return undefined
  const itself = identityAt(diskPath(path))
  if (itself === undefined) return undefined
  if (itself === identityAt(diskPath(`${folder}/${other}`))) return true
  return identityAt(diskPath(path)) === itself ? false : undefined
}
