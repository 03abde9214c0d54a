/** Requests for shares. */

import { API } from '#wire/api/routes.ts'
import type { NewShare, Share } from '#wire/api/share.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * @returns one's own shares; for administrators those of all users
 * @throws Fault forbidden
 */
export function list(): Promise<Share[]> {
  return requestJson<Share[]>(API.shares)
}

/**
 * @returns the shares of `path`; for administrators those of all users
 * @throws Fault forbidden
 */
export function sharesOf(path: TreePath, asFolder: boolean): Promise<Share[]> {
  return requestJson<Share[]>(API.share + toUrlPath(path, asFolder))
}

/** @throws Fault notFound, forbidden, badRequest for an invalid duration */
export function create(path: TreePath, asFolder: boolean, options: NewShare): Promise<Share> {
  return requestJson<Share>(API.share + toUrlPath(path, asFolder), {
    method: 'POST',
    body: JSON.stringify(options),
    headers: { 'Content-Type': 'application/json' },
  })
}

/**
 * Makes a share that has lost its file or folder one of what has the name now.
 *
 * @throws Fault notFound, forbidden
 */
export async function adopt(hash: string): Promise<void> {
  await request(`${API.shares}/${encodeURIComponent(hash)}`, { method: 'POST' })
}

/** @throws Fault notFound if it no longer exists */
export async function remove(hash: string): Promise<void> {
  await request(`${API.share}/${encodeURIComponent(hash)}`, { method: 'DELETE' })
}
