/** Requests who has access to a file or folder. */

import { API } from '#wire/api/routes.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import type { AccessList } from '#wire/shapes/access.ts'
import { requestJson } from '../client/request.ts'

/** @throws Fault notFound, forbidden */
export function read(path: TreePath, signal?: AbortSignal): Promise<AccessList> {
  return requestJson<AccessList>(API.access + toUrlPath(path), { signal })
}
