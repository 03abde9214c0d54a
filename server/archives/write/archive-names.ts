/** Names in an archive, and of the archive itself (docs/api.md 1.7). */
import { numberedName } from '#wire/free-names.ts'
import { displayName, hasEscapes } from '#wire/names.ts'
import { nameOf, parentPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'

/**
 * @param paths of entries in one folder, each once
 * @returns the names inside an archive of `base`: relative, with slashes. A backslash becomes `_`, because some
 *   systems read it as a slash, and `..\x` would lead outside. Bytes that are not UTF-8 become `%E9`. If two names
 *   become equal, the changed one gets a number.
 */
export function memberNames(paths: readonly TreePath[], base: TreePath): string[] {
  const originals = paths.map((path) => relativePath(path, base).slice(1))
  if (!originals.some((name) => hasEscapes(name) || name.includes('\\'))) return originals
  const displayNames = originals.map((name) => displayName(name, '%').replaceAll('\\', '_'))
  const taken = new Set(displayNames.filter((name, index) => name === originals[index]))
  /** Name → the last number that was added to it. */
  const numbers = new Map<string, number>()
  return displayNames.map((name, index) => {
    if (name === originals[index]) return name
    let free = name
    while (taken.has(free)) {
      const number = (numbers.get(name) ?? 0) + 1
      numbers.set(name, number)
      free = numberedName(name, number)
    }
    taken.add(free)
    return free
  })
}

/** @returns the paths without duplicates and without those inside another one */
export function outermost(paths: readonly TreePath[]): TreePath[] {
  const distinct = new Set(paths)
  return [...distinct].filter((path) => {
    for (let ancestor = path; ancestor !== ROOT; ) {
      ancestor = parentPath(ancestor)
      if (distinct.has(ancestor)) return false
    }
    return true
  })
}

/**
 * @param rootName the name for the root folder, which has none
 * @returns the file name for the download
 */
export function archiveFileName(
  { base, hasSeveralPaths }: { base: TreePath; hasSeveralPaths: boolean },
  ending: string,
  rootName: string,
): string {
  return `${hasSeveralPaths ? '_' : ''}${nameOf(base) || rootName}${ending}`
}
