/**
 * Folders that a rule denies and that are listed because they lead to an allowed one: nothing can be put into them. They are
 * known from the listings of this session, so that no request is needed while something is dragged over a folder.
 */
import { subscribeKey } from 'valtio/utils'
import { isListing, type Listing } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import { onUserChange } from '../session/session.ts'
import { listing } from './listing.ts'

const known = new Set<TreePath>()

onUserChange(() => known.clear())

subscribeKey(listing, 'entry', noteShown)

/** Whether nothing can be put into a folder, as far as it was listed. */
export function isListOnly(folder: TreePath): boolean {
  noteShown()
  return known.has(folder)
}

/** Notes the folder of a listing and its subfolders. */
export function noteListOnly(folder: Listing): void {
  for (const { path, isDir, listOnly } of [folder, ...folder.items]) {
    if (listOnly) known.add(path)
    else if (isDir) known.delete(path)
  }
}

/** The last listing of the page that was noted. */
let noted: unknown

/** A listing of the page may be there before its change is reported. */
function noteShown(): void {
  const { entry } = listing
  if (!entry || entry === noted || !isListing(entry)) return
  noted = entry
  noteListOnly(entry)
}
