/** The event stream that reports changes of a folder. */
import { withBase } from '#ui/lib/page/location.ts'
import type { LeftOutEvent } from '#wire/api/events.ts'
import { urls } from '#wire/api/routes.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { request } from './request.ts'

/** The version of a folder. It changes with the names in the folder. */
export interface AlsoEvent {
  path: TreePath
  version: string
}

/**
 * Opens an event stream of a folder; the cookie authenticates it. The browser reconnects a broken stream; one that is
 * answered with an error stays closed.
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
    /** Called when a copy or a download of this session lacks something. */
    onLeftOut(event: LeftOutEvent): void
    onOpen(): void
    /**
     * The stream is closed: it was answered with an error, at first or when the browser connected again.
     *
     * @param isFinal whether the server refuses the stream; otherwise a later attempt may succeed
     */
    onClosed(isFinal: boolean): void
  },
): () => void {
  const url = urls.events(folder, also)
  const source = new EventSource(withBase(url))
  const probe = new AbortController()
  let isListening = true
  source.addEventListener('changed', listener.onChange)
  // The server writes the types of these two.
  source.addEventListener('also', ({ data }) => listener.onAlso(JSON.parse(data) as AlsoEvent))
  source.addEventListener('jobs', listener.onJobs)
  source.addEventListener('leftOut', ({ data }) =>
    listener.onLeftOut(JSON.parse(data) as LeftOutEvent),
  )
  source.addEventListener('open', listener.onOpen)
  source.addEventListener('error', () => {
    if (source.readyState === EventSource.CLOSED) void close()
  })
  return () => {
    isListening = false
    source.close()
    probe.abort()
  }

  async function close(): Promise<void> {
    const isFinal = await isRefused(url, probe)
    if (isListening) listener.onClosed(isFinal)
  }
}

/**
 * Whether the server refuses a stream, such as one of a folder that it does not watch. An EventSource does not tell the
 * status, so the stream is requested once more. An error of a proxy, or too many streams, is no refusal.
 */
async function isRefused(url: string, probe: AbortController): Promise<boolean> {
  try {
    await request(url, { signal: probe.signal, withoutSignIn: true })
    return false
  } catch (error) {
    return !isFault(error, 'unavailable', 'tooMany', 'internal')
  } finally {
    // The status is known: the stream itself is not read.
    probe.abort()
  }
}
