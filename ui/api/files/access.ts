/** Requests who has access to a file or folder. */

import { API, queryString } from '#wire/api/routes.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import type { AccessList, AccessReasons } from '#wire/shapes/access.ts'
import { requestJson } from '../client/request.ts'

/** @throws Fault notFound, forbidden */
export function read(path: TreePath, signal?: AbortSignal): Promise<AccessList> {
  return requestJson<AccessList>(API.access + toUrlPath(path), { signal })
}

/**
 * What a user may do with an entry, and what decides that.
 *
 * @param appPassword the id of an app password of that user; undefined: without one
 * @throws Fault notFound (the user, or the app password), forbidden
 */
export function reasons(
  path: TreePath,
  username: string,
  appPassword: number | undefined,
  signal: AbortSignal,
): Promise<AccessReasons> {
  const query = queryString({ why: 1, as: username, appPassword })
  return requestJson<AccessReasons>(API.access + toUrlPath(path) + query, { signal })
}
