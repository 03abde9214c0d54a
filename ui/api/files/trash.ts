/** Requests for the trash: list, restore, delete permanently. */
import type { Restored, TrashItemInfo } from '#wire/api/journal.ts'
import { API, queryString } from '#wire/api/routes.ts'
import { request, requestJson } from '../client/request.ts'

/**
 * Lists one page of the items, newest first. A page with fewer items than `limit` is the last one.
 *
 * @param page.before the id of the last item of the page before this one
 * @param page.limit the maximum number of items, at most `LIMITS.auditPageMax`
 */
export function list(
  page: { before: number | undefined; limit: number },
  signal: AbortSignal,
): Promise<TrashItemInfo[]> {
  return requestJson<TrashItemInfo[]>(API.trash + queryString(page), { signal })
}

/**
 * Restores items to their original folders, which are created if they are missing. If a name is taken, the item gets
 * another one.
 *
 * @returns a result for each item, which may be a fault
 */
export function restore(ids: readonly number[]): Promise<Restored[]> {
  return requestJson<Restored[]>(API.trash, {
    method: 'POST',
    body: JSON.stringify({ ids, beside: true, parents: true }),
    headers: { 'Content-Type': 'application/json' },
  })
}

/**
 * Deletes items permanently.
 *
 * @param forget whether items whose disk is not mounted are removed from the list
 * @throws Fault notFound, forbidden (another user deleted it, a rule denies it, or the right `delete` is missing),
 *   unavailable (a disk is not mounted)
 */
export async function purge(ids: readonly number[], forget = false): Promise<void> {
  const query = ids.map((id) => `id=${id}`).join('&')
  await request(`${API.trash}?${query}${forget ? '&forget=true' : ''}`, { method: 'DELETE' })
}

/** Permanently deletes all items that the user may delete; as `purge`. */
export async function empty(forget = false): Promise<void> {
  await request(API.trash + queryString({ all: true, forget: forget || undefined }), {
    method: 'DELETE',
  })
}
