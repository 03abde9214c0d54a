/** Answers requests for an upload that is already finished. */
import type { StoredUpload } from '#server/db/uploads.ts'
import { Fault } from '#wire/fault.ts'

/**
 * The response for a client that missed the previous one: all bytes have arrived.
 *
 * @throws Fault conflict (the client sends bytes again), tooLarge (it sends more bytes)
 */
export async function finishedResponse(upload: StoredUpload, request: Request): Promise<Response> {
  const appends = request.method === 'PATCH'
  if (appends && Number(request.headers.get('upload-offset')) !== upload.sizeBytes) {
    throw new Fault('conflict', 'The upload is complete.')
  }
  if (appends && (await bringsBytes(request))) {
    throw new Fault('tooLarge', 'The upload is complete; it accepts no more bytes.')
  }
  return new Response(null, {
    status: appends ? 204 : 200,
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
