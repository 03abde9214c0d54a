/** What was deleted, and bringing it back or deleting it for ever. */
import type { KeptItem, Restored } from '#wire/journal.ts'
import { API, queryString } from '#wire/routes.ts'
import { request, requestJson } from './request.ts'

/** Newest first. @param before only older than the item of this number: the next page */
export function list(before?: number): Promise<KeptItem[]> {
  return requestJson<KeptItem[]>(API.trash + queryString({ before }))
}

/** Brings items back: to their places, beside what has their names now, with the folders that are missing. */
export function restore(ids: readonly number[]): Promise<Restored[]> {
  return requestJson<Restored[]>(API.trash, {
    method: 'POST',
    body: JSON.stringify({ ids, beside: true, parents: true }),
    headers: { 'Content-Type': 'application/json' },
  })
}

/** @throws Fault notFound, forbidden (somebody else has deleted it) */
export async function purge(id: number): Promise<void> {
  await request(API.trash + queryString({ id }), { method: 'DELETE' })
}

/** All that one may. */
export async function empty(): Promise<void> {
  await request(API.trash + queryString({ all: true }), { method: 'DELETE' })
}
