/** The content of a file in a request: its body, or the file in a form (RFC 7578). */
import { boundaryOf, fileInForm, isForm } from '#server/files/uploads/multipart.ts'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'
import { fileContent, fileStream } from './input.ts'

/**
 * The content of a file, without the envelope of a form.
 *
 * @param limitBytes of the body; 0 means no limit
 * @param stop makes the bytes fail with the reason of the signal
 * @throws as `fileContent` and `fileInForm`; Fault unsupported (a form without a boundary)
 */
export function uploadedContent(
  call: AnyCall,
  limitBytes: number,
  stop: AbortSignal,
): ByteStream | Promise<ByteStream | Uint8Array> {
  const type = call.req.header('content-type')
  if (!isForm(type)) return fileContent(call, limitBytes, stop)
  const boundary = boundaryOf(type)
  return fileInForm(fileStream(call, limitBytes, stop), boundary)
}

/**
 * Refuses a form that is sent to a folder, since its files would be lost.
 *
 * @throws Fault unsupported
 */
export function refuseForm(call: AnyCall): void {
  if (!isForm(call.req.header('content-type'))) return
  throw new Fault('unsupported', 'Send a form with files for a folder to /api/batch/.')
}
