/** The event stream that reports changes of a folder. */
import { withBase } from '#ui/lib/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { urls } from '#wire/routes.ts'

/**
 * Opens an event stream; the cookie authenticates it. The browser reconnects a broken stream; a refused one stays
 * closed.
 *
 * @returns a function that closes it
 */
export function listenToFolder(
  folder: TreePath,
  listener: { changed(): void; jobs(): void; onOpen(): void; refused(): void },
): () => void {
  const source = new EventSource(withBase(urls.events(folder)))
  source.addEventListener('changed', listener.changed)
  source.addEventListener('jobs', listener.jobs)
  source.addEventListener('open', listener.onOpen)
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.refused()
  })
  return () => source.close()
}
