/**
 * Finds out whether a file system ignores the case of names. It tests each file system below the root once, and each
 * folder if a file system decides this for each folder.
 */
import { readdirSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import type { TreePath } from '#wire/paths.ts'
import { diskPath, type Handle, identityAt } from '../handles/handle.ts'
import { openExactly } from '../handles/resolve.ts'
import { MountsBelow } from '../mounts/mounts-below.ts'
import { MarkedFolders } from './marked-folders.ts'

/** At most so many names of a folder are tested, until one gives a result. */
const NAMES_TESTED_MAX = 16

export class FoldsCase {
  readonly #markedFolders: MarkedFolders
  readonly #isAlways: boolean
  /** Whether the served root ignores case. */
  readonly atRoot: boolean
  /** Key: `dev` of a file system; value: whether it ignores case. Missing if no tested name gave a result yet. */
  readonly #known = new Map<number, boolean>()

  readonly #mounts: MountsBelow

  /**
   * @param root the caller closes it after the last call
   * @param mounts the mounts below it, whose mount points are no names to test
   * @param isAlways without a test. On macOS also a volume that respects case finds a name in any form of Unicode
   */
  constructor(
    root: Handle,
    mounts = new MountsBelow(root),
    isAlways = process.platform === 'darwin',
  ) {
    this.#mounts = mounts
    this.#isAlways = isAlways
    this.#markedFolders = new MarkedFolders(root)
    this.atRoot = this.appliesTo(root)
  }

  /**
   * Whether the folder of an open object (or the object itself, if it is a folder) ignores case. False if unknown.
   *
   * @param stats of the object, if they are known
   */
  appliesTo(object: Handle, { dev }: Pick<Stats, 'dev'> = object): boolean {
    if (this.#isAlways) return true
    const known = this.#known.get(dev)
    if (known === true || this.#markedFolders.hasOnPathTo(object)) return true
    if (known === false) return false
    const results = this.#namesNear(object).map((path) => isFolded(path))
    const foldsCase = results.find((result) => result !== undefined)
    if (foldsCase !== undefined) this.#known.set(dev, foldsCase)
    return foldsCase ?? false
  }

  /**
   * Whether it is known that the file system of an object is case-sensitive, so that each file has only one name.
   */
  isKnownCaseSensitive(object: Handle, stats: Pick<Stats, 'dev'>): boolean {
    return !this.appliesTo(object, stats) && this.#known.get(stats.dev) === false
  }

  /** @returns paths on the same file system: the entries of a readable folder, or the file itself */
  #namesNear(object: Handle): string[] {
    if (!object.stat().isDirectory()) return [object.realPath()]
    const mountPoints = this.#mounts.namesInOpen(object)
    return readableNames(object)
      .filter((name) => !mountPoints.includes(name))
      .slice(0, NAMES_TESTED_MAX)
      .map((name) => `${object.diskText}/${name}`)
  }
}

/** An open object to which no link leads. */
export interface ExactObject {
  object: Handle
  stats: Stats
}

/**
 * As `openExactly`, but only on a case-sensitive file system, where `path` is then the real path of the object.
 *
 * @throws as `openExactly`
 */
export function openExactlyIfCaseSensitive(
  folder: Handle,
  path: TreePath,
  folds: FoldsCase,
): ExactObject | undefined {
  const object = openExactly(folder, path)
  if (!object) return undefined
  try {
    const stats = object.stat()
    if (folds.isKnownCaseSensitive(object, stats)) return { object, stats }
  } catch (error) {
    object.close()
    throw error
  }
  object.close()
  return undefined
}

/** Whether a folder has exactly this name; undefined if it cannot be read. */
function hasName(folder: string, name: string): boolean | undefined {
  try {
    return readdirSync(diskPath(folder)).includes(name)
  } catch {
    return undefined
  }
}

/** The folder itself may be entered without being read; then nothing is known. */
function readableNames(folder: Handle): string[] {
  try {
    return readdirSync(folder.disk)
  } catch {
    return []
  }
}

/**
 * Whether a file is also found under its name in the other case. Undefined if that is not known: the name has no
 * letter from a to z or the file was removed during the test.
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
  const identityOfOther = () => identityAt(diskPath(`${folder}/${other}`))
  const otherObject = identityOfOther()
  if (itself === otherObject) return true
  // Some file systems give each spelling an inode number of its own; the folder then has only one of the two names.
  if (otherObject !== undefined) {
    const isListed = hasName(folder, other)
    if (isListed !== false) return isListed ? false : undefined
    return identityOfOther() === otherObject ? true : undefined
  }
  return identityAt(diskPath(path)) === itself ? false : undefined
}
