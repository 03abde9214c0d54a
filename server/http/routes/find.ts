/** Finds files by name while the user types (docs/api.md 26). */
import { findEntries } from '#server/files/search/find.ts'
import { findText } from '#server/files/search/find-text.ts'
import { FIND_TEXT_MAX } from '#wire/api/find.ts'
import { API } from '#wire/api/routes.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { foundShape, foundTextsShape } from '#wire/shapes/response-shapes.ts'
import type { Call, Route } from '../context/context.ts'
import { limitKey } from '../lifetime/in-flight.ts'
import { flag, pathAfter } from '../request/input.ts'
import { jsonResponse } from '../response/present.ts'

const REFUSED = {
  403: 'a rule denies it',
  404: 'there is no such folder',
  429: 'this user has too many searches in progress',
  503: 'too many searches run',
} as const

export const findRoutes: Route[] = [
  {
    method: 'GET',
    path: `${API.find}/*`,
    needs: 'session',
    appPassword: 'any',
    docs: {
      summary: 'Finds the best matching files and folders; those below the folder rank higher',
      query: {
        query:
          'words that must all be in the name or path; `type:`, `in:`, `before:`, `after:` and `larger:` limit the results',
        only: '`true`: only below the folder',
        exact:
          '`true`: only names with all words, which is faster; `hasSimilar` says that there may be similar ones',
        offset: 'how many of the best results to leave out: those of the pages before',
      },
      responses: {
        200: { description: 'the best results', shape: foundShape },
        400: 'the query is too long, or the offset is no number',
        ...REFUSED,
      },
    },
    handle: (call) => runSearch(call, API.find, findEntries),
  },
  {
    method: 'GET',
    path: `${API.findText}/*`,
    needs: 'download',
    appPassword: 'any',
    docs: {
      summary:
        'Finds text files with a line that contains all words; those below the folder come first',
      query: {
        query: 'as for `/api/find`',
        only: '`true`: only below the folder',
      },
      responses: {
        200: { description: 'the first results', shape: foundTextsShape },
        ...REFUSED,
      },
    },
    handle: (call) => runSearch(call, API.findText, findText),
  },
]

/**
 * Runs a search with a permit of the user.
 *
 * @throws as `parseRequest`; Fault tooMany (this user has too many searches), unavailable (all users have)
 */
async function runSearch(call: Call, prefix: string, search: typeof findEntries | typeof findText) {
  const { limits, scope } = call.var
  const { path, text } = await parseRequest(call, prefix)
  using _ = limits.searches.acquire(limitKey(call))
  const options = {
    signal: call.req.raw.signal,
    onlyHere: flag(call, 'only'),
    isExact: flag(call, 'exact'),
    offset: offsetOf(call),
  }
  return jsonResponse(await search(scope, path, text, options))
}

/** @throws Fault badRequest */
function offsetOf(call: Call): number {
  const text = call.req.query('offset') ?? '0'
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new Fault(
    'badRequest',
    'The parameter offset must be a whole number of at most six digits.',
  )
}

/** @throws Fault badRequest (the query is too long), notFound, forbidden */
async function parseRequest(call: Call, prefix: string): Promise<{ path: TreePath; text: string }> {
  const { path } = pathAfter(call, prefix)
  const text = call.req.query('query') ?? ''
  if (text.length > FIND_TEXT_MAX) {
    throw new Fault(
      'badRequest',
      `The parameter query may have at most ${FIND_TEXT_MAX} characters.`,
    )
  }
  await call.var.scope.stat(path)
  return { path, text }
}
