/** Shows what an undo or a redo brought back. */
import { filesUrl, goTo } from '#ui/lib/page/location.ts'
import { reloadSiblings } from '#ui/state/file/viewer.ts'
import { listing, preselect, reloadListing } from '#ui/state/folder/listing.ts'
import { isListing } from '#wire/api/entry.ts'
import { nameOf, parentPath, parsePath } from '#wire/paths.ts'

/**
 * Loads the page again. In a folder, the entries that came back are selected. A viewer shows the file again that was
 * deleted, renamed or moved from it.
 *
 * @param back paths that exist again
 * @param gone paths that do not exist any more
 */
export async function showAgain(back: readonly string[], gone: readonly string[]): Promise<void> {
  const { path, entry, status } = listing
  const [first] = back
  if (entry && !isListing(entry) && status !== 'idle') {
    const isShownGone = gone.includes(path)
    const isSibling = first !== undefined && parentPath(parsePath(first)) === parentPath(path)
    if (first !== undefined && back.length === 1 && (isShownGone || isSibling)) {
      reloadSiblings()
      goTo(filesUrl(parsePath(first), false), { replace: true })
      return
    }
  }
  const isHere = (other: string) => parentPath(parsePath(other)) === path
  if (back.some(isHere)) preselect(back.filter(isHere).map((other) => nameOf(parsePath(other))))
  await reloadListing()
}
