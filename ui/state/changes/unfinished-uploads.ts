/** Unfinished uploads of all users, for administrators. */
import * as api from '#ui/api/files/uploads.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { isFault } from '#wire/fault.ts'

/** @throws Fault unavailable */
export function listUnfinishedUploads(): Promise<UnfinishedUpload[]> {
  return api.listUnfinished()
}

/**
 * Stops an upload and removes its bytes. One that has already ended is no error.
 *
 * @throws Fault unavailable
 */
export async function stopUnfinishedUpload(id: string): Promise<void> {
  await api.endUnfinished(id).catch((error: unknown) => {
    if (!isFault(error, 'notFound')) throw error
  })
}
