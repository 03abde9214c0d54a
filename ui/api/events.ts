/** The event stream that reports changes of a folder. */
import { withBase } from '#ui/lib/location.ts'
import type { TreePath } from '#wire/paths.ts'
import { urls } from '#wire/routes.ts'

/** The version of a folder. It changes with the names in the folder. */
export interface AlsoEvent {
  path: TreePath
  version: string
}

/**
 * Opens an event stream of a folder; the cookie authenticates it. The browser reconnects a broken stream; a refused one
 * stays closed.
 *
 * @param also further folders, of which the stream reports only versions
 * @returns a function that closes it
 */
export function listenToFolder(
  folder: TreePath,
  also: readonly TreePath[],
  listener: {
    onChange(): void
    /** Called with the version of a folder of `also`: its names have changed if the version is another than before. */
    onAlso(folder: AlsoEvent): void
    onJobs(): void
    onOpen(): void
    /** The server refused the stream, or ended it and refuses another one. */
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
