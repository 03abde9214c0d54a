/** Search by name and content (docs/api.md 26). */
import type { Found, FoundTexts } from '#wire/api/find.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { requestJson } from '../client/request.ts'

/**
 * @param signal aborts the search on the server too
 * @returns the best matches of all files, of which those below `folder` rank higher; with `only` only those below it;
 *   with `offset` those after so many; with `exact` only names with all words, which is faster
 * @throws Fault forbidden, notFound, tooMany, unavailable; aborted by the signal
 */
export function find(
  folder: TreePath,
  search: FindQuery & FindPart,
  signal: AbortSignal,
): Promise<Found> {
  return requestJson<Found>(urlOf(API.find, folder, search), { signal })
}

/**
 * Searches the content of text files.
 *
 * @throws Fault forbidden (the user may not download), notFound, tooMany, unavailable; aborted by the signal
 */
export function findText(
  folder: TreePath,
  search: FindQuery,
  signal: AbortSignal,
): Promise<FoundTexts> {
  return requestJson<FoundTexts>(urlOf(API.findText, folder, search), { signal })
}

export interface FindQuery {
  query: string
  only: boolean
}

interface FindPart {
  offset?: number
  exact?: boolean
}

function urlOf(
  api: string,
  folder: TreePath,
  { query, only, exact, offset }: FindQuery & FindPart,
): string {
  const asked = { query, only: only || undefined, exact: exact || undefined, offset }
  return api + toUrlPath(folder, true) + queryString(asked)
}
