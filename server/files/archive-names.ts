/** What things are called: inside an archive, and the archive itself (contract 1.7). */
import {
  isInside,
  nameOf,
  parentPath,
  ROOT,
  relativePath,
  segmentsOf,
  type TreePath,
} from '#wire/paths.ts'

/**
 * The name of `path` inside an archive of `base`: relative, with slashes. A backslash becomes `_`, for
 * some systems would take it for a slash and `..\x` for a way out.
 */
export function memberName(path: TreePath, base: TreePath): string {
  return relativePath(path, base).slice(1).replaceAll('\\', '_')
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
  const byDepth = [...new Set(paths)].sort((a, b) => segmentsOf(a).length - segmentsOf(b).length)
  const kept: TreePath[] = []
  for (const path of byDepth) {
    if (!kept.some((folder) => isInside(path, folder))) kept.push(path)
  }
  return kept
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
