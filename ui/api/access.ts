/** Requests who has access to a file or folder. */
import type { AccessList } from '#wire/access.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { API } from '#wire/routes.ts'
import { requestJson } from './request.ts'

/** @throws Fault notFound, forbidden */
export function read(path: TreePath, signal?: AbortSignal): Promise<AccessList> {
  return requestJson<AccessList>(API.access + toUrlPath(path), { signal })
}
