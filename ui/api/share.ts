/** One's own public links. */
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { API } from '#wire/routes.ts'
import type { NewShare, Share } from '#wire/share.ts'
import { request, requestJson } from './request.ts'

/** All of one's links; administrators get everybody's. @throws Fault forbidden */
export function list(): Promise<Share[]> {
  return requestJson<Share[]>(API.shares)
}

/** The links to `path`; administrators get everybody's. @throws Fault forbidden */
export function linksTo(path: TreePath, asFolder: boolean): Promise<Share[]> {
  return requestJson<Share[]>(API.share + toUrlPath(path, asFolder))
}

/** @throws Fault notFound, forbidden, badRequest for a duration that makes no sense */
export function create(path: TreePath, asFolder: boolean, options: NewShare): Promise<Share> {
  return requestJson<Share>(API.share + toUrlPath(path, asFolder), {
    method: 'POST',
    body: JSON.stringify(options),
    headers: { 'Content-Type': 'application/json' },
  })
}

/** @throws Fault notFound when it is over already */
export async function remove(hash: string): Promise<void> {
  await request(`${API.share}/${encodeURIComponent(hash)}`, { method: 'DELETE' })
}
