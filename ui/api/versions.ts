/** Requests of earlier versions of a file. */
import type { KeptItem } from '#wire/journal.ts'
import { type TreePath, toUrlPath } from '#wire/paths.ts'
import { API, queryString } from '#wire/routes.ts'
import { request, requestJson } from './request.ts'

/**
 * Newest first.
 *
 * @throws Fault notFound, forbidden
 */
export function list(path: TreePath, signal?: AbortSignal): Promise<KeptItem[]> {
  return requestJson<KeptItem[]>(urlOf(path), { signal })
}

/**
 * @returns the content of one version
 * @throws Fault notFound, forbidden
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
 * Restores one version.
 *
 * @throws Fault notFound, forbidden
 */
export async function restore(path: TreePath, id: number): Promise<void> {
  await request(urlOf(path, id), { method: 'POST' })
}

/** The URL of the list, or of one version. */
export function urlOf(path: TreePath, id?: number): string {
  return API.versions + toUrlPath(path) + queryString({ id })
}
