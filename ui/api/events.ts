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
  listener: { onChange(): void; onJobs(): void; onOpen(): void; onRefused(): void },
): () => void {
  const source = new EventSource(withBase(urls.events(folder)))
  source.addEventListener('changed', listener.onChange)
  source.addEventListener('jobs', listener.onJobs)
  source.addEventListener('open', listener.onOpen)
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.onRefused()
  })
  return () => source.close()
}
