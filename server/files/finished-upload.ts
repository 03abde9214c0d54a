/** Answers requests for an upload that is already finished. */
import type { StoredUpload } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'

/**
 * The response for a client that missed the previous one: all bytes have arrived.
 *
 * @throws Fault conflict if it sends bytes again, tooLarge if it sends more
 */
export async function finishedResponse(upload: StoredUpload, request: Request): Promise<Response> {
  const adds = request.method === 'PATCH'
  if (adds && Number(request.headers.get('upload-offset')) !== upload.sizeBytes) {
    throw new Fault('conflict', 'The upload is complete.')
  }
  if (adds && (await bringsBytes(request))) {
    throw new Fault('tooLarge', 'The upload is complete; it accepts no more bytes.')
  }
  return new Response(null, {
    status: adds ? 204 : 200,
    headers: {
      'Tus-Resumable': '1.0.0',
      'Cache-Control': 'no-store',
      'Upload-Length': String(upload.sizeBytes),
      'Upload-Offset': String(upload.sizeBytes),
    },
  })
}

async function bringsBytes({ body }: Request): Promise<boolean> {
  for await (const chunk of body ?? []) {
    if (chunk.length > 0) return true
  }
  return false
}
