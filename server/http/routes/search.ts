/** Search: a line of JSON for each hit, as it is found (contract 1.15). */

import { search } from '#server/files/search.ts'
import { API } from '#wire/routes.ts'
import type { Route } from '../context.ts'
import { pathAfter } from '../input.ts'
import { searches, stream, whose } from '../under-way.ts'

/** An empty line now and then tells proxies and clients that the search goes on. */
const HEARTBEAT_MS = 5000

export const searchRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.search}/*`,
    needs: 'session',
    about: {
      summary:
        'Finds names below a folder, a line of JSON for each as it is found; empty lines say that it goes on',
      query: {
        query:
          'words; `type:image`, `type:pdf`, … narrow it, `case:sensitive` minds capitals, quotes keep words together',
      },
      answers: {
        200: { words: 'hits, one a line', type: 'text/plain' },
        403: 'a rule denies it',
        429: 'this person has too many searches running',
        503: 'too many searches run',
      },
    },
    slow: true,
    handle(call) {
      const { path } = pathAfter(call, API.search)
      const place = searches.take(whose(call))
      const query = call.req.query('query') ?? ''
      const stop = new AbortController()
      const hits = search(call.var.scope, path, query, stop.signal)
      const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
      return stream(call, lines(hits, stop), { headers }, place)
    },
  },
]

/** Values as lines of JSON; the reader's leaving stops the work. */
function lines(values: AsyncIterable<unknown>, stop: AbortController): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  let heartbeat: Timer
  return new ReadableStream({
    start(controller) {
      heartbeat = setInterval(() => controller.enqueue(encoder.encode('\n')), HEARTBEAT_MS)
      heartbeat.unref()
    },
    async pull(controller) {
      const next = await iterator.next()
      if (!next.done) {
        controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
        return
      }
      clearInterval(heartbeat)
      controller.close()
    },
    cancel() {
      clearInterval(heartbeat)
      stop.abort()
    },
  })
}
