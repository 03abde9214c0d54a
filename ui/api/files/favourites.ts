/** Favourite folders and recent files (docs/api.md 27). */
import type { Entry } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { TreePath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns favourite folders, in the user's order */
export function list(): Promise<TreePath[]> {
  return requestJson<TreePath[]>(API.favourites)
}

/**
 * Replaces the list.
 *
 * @throws Fault badRequest (too many favourites)
 */
export async function put(paths: readonly TreePath[]): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  await request(API.favourites, { method: 'PUT', body: JSON.stringify(paths), headers })
}

/** @returns recently opened or changed files, the latest first */
export function recent(): Promise<Entry[]> {
  return requestJson<Entry[]>(API.recent)
}
