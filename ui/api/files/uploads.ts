/** Requests for unfinished uploads. */
import { API } from '#wire/api/routes.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { request, requestJson } from '../client/request.ts'

/** @returns one's own unfinished uploads, for administrators those of all users; the largest first */
export function listUnfinished(): Promise<UnfinishedUpload[]> {
  return requestJson<UnfinishedUpload[]>(API.uploads)
}

/** @throws Fault notFound if it has already ended */
export async function endUnfinished(id: string): Promise<void> {
  await request(`${API.uploads}/${encodeURIComponent(id)}`, { method: 'DELETE' })
}
