/** Names in an archive, and of the archive itself (docs/api.md 1.7). */
import { numberedName } from '#wire/free-names.ts'
import { displayName, hasEscapes } from '#wire/names.ts'
import { nameOf, parentPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'

/** How names are written: `bytes` as they are, as far as possible; `portable` so that any system can read them. */
export type NameSpelling = 'bytes' | 'portable'

/** A name that systems with backslashes between folders would read as a path to the outside. */
const LEADS_OUTSIDE = /^\\|^\w:\\|(?:^|[/\\])\.\.\\|\\\.\.(?:$|[/\\])/

/**
 * @param paths of entries in one folder, each once
 * @returns the names inside an archive of `base`: relative, with slashes. In a portable name, a backslash becomes `_`,
 *   because some systems read it as a slash, and bytes that are not UTF-8 become `%E9`. In any name that would lead
 *   outside there, such as `..\x`, backslashes become `_`. If two names become equal, the changed one gets a number.
 */
export function memberNames(
  paths: readonly TreePath[],
  base: TreePath,
  spelling: NameSpelling = 'portable',
): string[] {
  const originals = paths.map((path) => relativePath(path, base).slice(1))
  if (!originals.some((name) => hasEscapes(name) || name.includes('\\'))) return originals
  const displayNames = originals.map((name) => {
    if (spelling === 'bytes' && !LEADS_OUTSIDE.test(name)) return name
    return (spelling === 'bytes' ? name : displayName(name, '%')).replaceAll('\\', '_')
  })
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
