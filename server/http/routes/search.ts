/** Search: streams results as JSON lines (docs/api.md 1.15). */

import type { Scope } from '#server/access/scope/scope.ts'
import { type Search, search } from '#server/files/search/search.ts'
import { INDEX_AGE_HEADER } from '#server/files/search/search-hit.ts'
import { parseQuery } from '#server/files/search/search-query.ts'
import { doesNotRespond } from '#server/lib/common-faults.ts'
import { API } from '#wire/api/routes.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Route } from '../context/context.ts'
import { limitKey, streamResponse } from '../lifetime/in-flight.ts'
import { pathAfter } from '../request/input.ts'

/** Empty lines keep the connection open during a long search. */
const HEARTBEAT_MS = 5000

export const searchRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.search}/*`,
    needs: 'session',
    appPassword: 'any',
    docs: {
      summary:
        'Finds names below a folder. Each result is a line of JSON, sent when it is found; empty lines mean that the search continues',
      query: {
        query:
          'words; `type:image`, `type:pdf`, … limit the type, `case:sensitive` distinguishes upper and lower case, and quotes keep words together',
      },
      responses: {
        200: {
          description:
            'one result in each line. `X-Index-Age`: seconds since the index of names was compared with the disk; absent if the folders themselves were read',
          type: 'text/plain',
        },
        400: 'too many words',
        403: 'a rule denies it',
        429: 'this user has too many searches in progress',
        503: 'too many searches run, or nothing was found and a disk below the folder does not respond',
      },
    },
    slow: true,
    async handle(call) {
      const { path } = pathAfter(call, API.search)
      await requireAllowedFolder(call.var.scope, path)
      const query = call.req.query('query') ?? ''
      // Checked before the first result, because the status cannot change after it.
      parseQuery(query)
      const permit = call.var.limits.searches.acquire(limitKey(call))
      const stop = new AbortController()
      const { index, hits } = await releasedOnError(
        permit,
        search(call.var.scope, path, query, stop.signal).then(beginning),
      )
      const headers = {
        'Content-Type': 'text/plain; charset=utf-8',
        ...(index && { [INDEX_AGE_HEADER]: String(Math.ceil(index.ageMs / 1000)) }),
      }
      call.set('recheckAccess', () => call.var.scope.recheck('look', path))
      return streamResponse(call, jsonLines(hits, stop), { headers }, permit)
    },
  },
]

/**
 * Waits for the first result, as long as nothing needs to be sent. After the last one the results end with an error if
 * folders were left out because their disk does not respond.
 *
 * @throws Fault unavailable (nothing was found, and a disk does not respond)
 */
async function beginning({
  index,
  hits,
  isSilent,
}: Search): Promise<Pick<Search, 'index' | 'hits'>> {
  const all = complete(hits, isSilent)
  const first = all.next()
  await Promise.race([first, Bun.sleep(HEARTBEAT_MS)])
  return { index, hits: startingWith(first, all) }
}

async function* complete<T>(hits: AsyncIterable<T>, isSilent: () => boolean): AsyncGenerator<T> {
  yield* hits
  if (isSilent()) throw doesNotRespond()
}

async function* startingWith<T>(
  first: Promise<IteratorResult<T, void>>,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T> {
  try {
    const { done, value } = await first
    if (done) return
    yield value
    yield* rest
  } finally {
    await rest.return()
  }
}

/** Disposes of the permit if the work fails. */
async function releasedOnError<T>(permit: Disposable, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    permit[Symbol.dispose]()
    throw error
  }
}

/**
 * Checks that a rule allows the searched folder. It runs before the first result, because the status cannot change after
 * it.
 *
 * @throws Fault forbidden (a rule denies the folder)
 */
async function requireAllowedFolder(scope: Scope, path: TreePath): Promise<void> {
  try {
    await scope.stat(path)
  } catch (error) {
    // A missing folder has no results.
    if (!isFault(error, 'notFound')) throw error
  }
}

/**
 * Streams batches of values as JSON lines. The heartbeat ends with the stream, also when it fails or is cancelled.
 *
 * @param values ends when `stop` is aborted
 */
export function jsonLines(
  values: AsyncIterable<readonly unknown[]>,
  stop: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = values[Symbol.asyncIterator]()
  let hasStarted = false
  let heartbeat: Timer
  return new ReadableStream({
    start(controller) {
      heartbeat = setInterval(() => {
        // The heartbeat is needed only if no results are waiting.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode('\n'))
      }, HEARTBEAT_MS)
      heartbeat.unref()
    },
    async pull(controller) {
      hasStarted = true
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
      // Before its first step, `return` would end a generator without its `finally`, and what was opened for the search
      // would stay open. This step sees that the search must end.
      if (!hasStarted) await iterator.next()
      await iterator.return?.()
    },
  })
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}
