/** What things are called: inside an archive, and the archive itself (docs/api.md 1.7). */
import { displayName } from '#wire/names.ts'
import { isInside, nameOf, parentPath, ROOT, relativePath, type TreePath } from '#wire/paths.ts'

/**
 * The name of `path` inside an archive of `base`: relative, with slashes. A backslash becomes `_`, for
 * some systems would take it for a slash and `..\x` for a way out. Bytes that are not UTF-8 become `%E9`.
 */
export function memberName(path: TreePath, base: TreePath): string {
  return displayName(relativePath(path, base).slice(1), '%').replaceAll('\\', '_')
}

/** The deepest folder that holds every one of these folders. */
export function commonFolder(folders: readonly TreePath[]): TreePath {
  let [common = ROOT] = folders
  for (const folder of folders) {
    while (!isInside(folder, common)) common = parentPath(common)
  }
  return common
}

/** Without what is there twice, or is inside something else that is there. */
export function outermost(paths: readonly TreePath[]): TreePath[] {
  const asked = new Set(paths)
  return [...asked].filter((path) => {
    for (let above = path; above !== ROOT; ) {
      above = parentPath(above)
      if (asked.has(above)) return false
    }
    return true
  })
}

/**
 * The name to save an archive under.
 *
 * @param topName stands for the top folder, which has no name in its own tree
 */
export function archiveFileName(
  { base, several }: { base: TreePath; several: boolean },
  ending: string,
  topName: string,
): string {
  return `${several ? '_' : ''}${nameOf(base) || topName}${ending}`
}
