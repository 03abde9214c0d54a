import { filesUrl, goTo, withBase } from '#ui/lib/page/location.ts'
import type { ActionContext } from '#ui/state/action-context.ts'
import { playMusic } from '#ui/state/media/music.ts'
import type { Entry } from '#wire/api/entry.ts'

/**
 * Opens an entry of a listing: a folder, or the page of a file. A recording starts the music queue, and the listing
 * stays.
 *
 * @param items the entries of the listing, in their order
 */
export function openEntry(entry: Entry, items: readonly Entry[], may: ActionContext['may']): void {
  if (entry.type === 'audio' && !entry.isDir && may('download')) playMusic(entry, items)
  else goTo(filesUrl(entry.path, entry.isDir))
}

/** Opens the page of an entry in a new tab of the browser. */
export function openInNewTab({ path, isDir }: Entry): void {
  window.open(withBase(filesUrl(path, isDir)), '_blank', 'noopener')
}
