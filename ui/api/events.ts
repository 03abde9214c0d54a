/** A line on which the server says that a folder has changed. */
import { withBase } from '#ui/lib/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { urls } from '#wire/routes.ts'

/**
 * Opens a line; the cookie says who is asking. A broken line is opened anew by the browser, a refused
 * one stays closed.
 *
 * @returns closes it
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
