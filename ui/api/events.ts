/** The event stream that reports changes of a folder. */
import { withBase } from '#ui/lib/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { urls } from '#wire/routes.ts'

export interface AlsoEvent {
  path: TreePath
  version: string
}

/**
 * Opens an event stream of a folder; the cookie authenticates it. The browser reconnects a broken stream; a refused one
 * stays closed.
 *
 * @returns a function that closes it
 */
export function listenToFolder(
  folder: TreePath,
  also: readonly TreePath[],
  listener: {
    onChange(): void
    /** The names in a folder of `also` have changed if its version has. */
    onAlso(folder: AlsoEvent): void
    onJobs(): void
    onOpen(): void
    onRefused(): void
  },
): () => void {
  const source = new EventSource(withBase(urls.events(folder, also)))
  source.addEventListener('changed', listener.onChange)
  // The server writes this type.
  source.addEventListener('also', ({ data }) => listener.onAlso(JSON.parse(data) as AlsoEvent))
  source.addEventListener('jobs', listener.onJobs)
  source.addEventListener('open', listener.onOpen)
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) listener.onRefused()
  })
  return () => source.close()
}
