/** A path as the folders one goes through. */

import { childPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { shownName } from './shown-name.ts'

export interface Crumb {
  name: string
  path: TreePath
}

/** The root, called `home`, and every folder down to `path`. */
export function crumbsOf(path: TreePath, home: string): Crumb[] {
  const crumbs: Crumb[] = [{ name: home, path: ROOT }]
  let at = ROOT
  for (const name of segmentsOf(path)) {
    at = childPath(at, name)
    crumbs.push({ name: shownName(name).text, path: at })
  }
  return crumbs
}
