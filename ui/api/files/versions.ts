/** Requests for earlier versions of a file (docs/api.md 18). The `id` of a version is negative for a snapshot. */
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * @returns the versions, the newest first
 * @throws Fault notFound, forbidden, unavailable; aborted by the signal
 */
export function list(path: TreePath, signal?: AbortSignal): Promise<TrashItemInfo[]> {
  return requestJson<TrashItemInfo[]>(urlOf(path), { signal })
}

/**
 * @returns the content of one version
 * @throws Fault notFound, forbidden, unavailable; aborted by the signal
 */
export async function readBytes(
  path: TreePath,
  id: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await request(urlOf(path, id), { signal })
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * Replaces the file by a version. Its current content becomes a version.
 *
 * @param onJournalEntry receives the journal entry instead of the global listener
 * @throws Fault notFound, forbidden, noSpace, readOnly, unavailable
 */
export async function restore(
  path: TreePath,
  id: number,
  onJournalEntry?: (entry: number) => void,
): Promise<void> {
  await request(urlOf(path, id), { method: 'POST', onJournalEntry })
}

/** The URL of the list, or of one version, without the base path. */
export function urlOf(path: TreePath, id?: number): string {
  return API.versions + toUrlPath(path) + queryString({ id })
}
