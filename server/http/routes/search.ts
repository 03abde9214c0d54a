/** Search: a line of JSON for each hit, as it is found (docs/api.md 1.15). */

import type { Scope } from '#server/access/scope.ts'
import { search } from '#server/files/search.ts'
import { parseQuery } from '#server/files/search-query.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { API } from '#wire/routes.ts'
import { INDEX_AGE_HEADER } from '#wire/search.ts'
import type { Route } from '../context.ts'
import { limitKey, stream } from '../in-flight.ts'
import { pathAfter } from '../input.ts'

/** An empty line now and then tells proxies and clients that the search goes on. */
const HEARTBEAT_MS = 5000

export const searchRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.search}/*`,
    needs: 'session',
    docs: {
      summary:
        'Finds names below a folder, a line of JSON for each as it is found; empty lines say that it goes on',
      query: {
        query:
          'words; `type:image`, `type:pdf`, … narrow it, `case:sensitive` minds capitals, quotes keep words together',
      },
      answers: {
        200: {
          description:
            'hits, one a line; `X-Index-Age`: seconds since the index of names was compared with the disk, absent where folders were walked through',
          type: 'text/plain',
        },
        400: 'too many words',
        403: 'a rule denies it',
        429: 'this person has too many searches running',
        503: 'too many searches run',
      },
    },
    slow: true,
    async handle(call) {
      const { path } = pathAfter(call, API.search)
      await mustSee(call.var.scope, path)
      const query = call.req.query('query') ?? ''
      // Once hits are sent there is no status to refuse it with.
      parseQuery(query)
      const slot = call.var.limits.searches.acquire(limitKey(call))
      const stop = new AbortController()
      const { index, hits } = await begun(slot, search(call.var.scope, path, query, stop.signal))
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(index && { [INDEX_AGE_HEADER]: String(Math.ceil(index.ageMs / 1000)) }),
      }
      call.set('still', () => call.var.scope.mustStill('look', path))
      return stream(call, lines(hits, stop), { headers }, slot)
    },
  },
]

/** What is not begun needs no slot. */
async function begun<T>(slot: Disposable, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    slot[Symbol.dispose]()
    throw error
  }
}

/** Asked first: once hits are sent there is no status to say it with. @throws Fault forbidden */
async function mustSee(scope: Scope, path: TreePath): Promise<void> {
  try {
    await scope.stat(path)
  } catch (error) {
    // In what is not there nothing is found.
    if (!isFault(error, 'notFound')) throw error
  }
}

/** Values, several at a time, as lines of JSON. Their end, their failure and the reader's leaving all end the heartbeat. */
export function lines(
  values: AsyncIterable<readonly unknown[]>,
  stop: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  let heartbeat: Timer
  return new ReadableStream({
    start(controller) {
      heartbeat = setInterval(() => {
        // A reader who has something to read needs no sign of life.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode('\n'))
      }, HEARTBEAT_MS)
      heartbeat.unref()
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (stop.signal.aborted) return
        if (!done) return controller.enqueue(encoder.encode(linesOf(value)))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      clearInterval(heartbeat)
    },
    async cancel() {
      clearInterval(heartbeat)
      stop.abort()
      await iterator.return?.()
    },
  })
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
