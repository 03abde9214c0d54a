/** URLs of what takes up space. */
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { SPACE } from '../page/location.ts'

/** The app's URL of what takes up space in a folder. */
export function spaceUrl(folder: TreePath): string {
  return SPACE + toUrlPath(folder, true)
}
