/** Search (docs/api.md 1.15). */
import { Fault } from '#wire/fault.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import type { SearchHit } from '#wire/search.ts'
import { NO_CONNECTION, request } from './request.ts'

/**
 * The hits below `folder`, in batches as they arrive. The signal ends the search on the server
 * too.
 *
 * @throws Fault forbidden; unavailable also when the search breaks off; aborted by the signal
 */
export async function* search(
  folder: TreePath,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<SearchHit[]> {
  const url = API.search + toUrlPath(folder, true) + queryString({ query })
  const { body } = await request(url, { signal })
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      // An empty line is a heartbeat: the search goes on.
      const hits = lines.filter((line) => line !== '').map(parseHit)
      if (hits.length > 0) yield hits
    }
  } catch (cause) {
    throw new Fault(signal.aborted ? 'aborted' : 'unavailable', NO_CONNECTION, { cause })
  }
  if (rest !== '') throw new Fault('unavailable', NO_CONNECTION)
}

function parseHit(line: string): SearchHit {
  // The server writes each line from this type.
  return JSON.parse(line) as SearchHit
}
