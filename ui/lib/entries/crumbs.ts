/** The breadcrumbs of a path. */

import { childPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { shownName } from './shown-name.ts'

export interface Crumb {
  name: string
  path: TreePath
}

/** @returns the root, named `home`, and every folder down to `path` */
export function crumbsOf(path: TreePath, home: string): Crumb[] {
  const crumbs: Crumb[] = [{ name: home, path: ROOT }]
  let folder = ROOT
  for (const name of segmentsOf(path)) {
    folder = childPath(folder, name)
    crumbs.push({ name: shownName(name).text, path: folder })
  }
  return crumbs
}
