/** Sends a file as the body of one POST request; the server publishes it completely or not at all. */

import { faultOf } from '#ui/api/client/fault-of.ts'
import { currentToken } from '#ui/api/client/token.ts'
import { withBase } from '#ui/lib/page/location.ts'
import { urls } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { readWhole } from './checked-file.ts'
import { abortedBy, noResponse } from './faults.ts'
import { type Attempt, reportEntry, type Transport, type Upload } from './transport.ts'

/** The file's modification time, in milliseconds since 1970. */
const MODIFIED_HEADER = 'X-Modified'

export const plain: Transport = { send, discard: async () => {} }

async function send(upload: Upload, attempt: Attempt): Promise<void> {
  await post(upload, await readWhole(upload.file), attempt)
}

/** Uses XMLHttpRequest, because `fetch` reports no upload progress. */
function post({ file, path, override }: Upload, body: Blob, attempt: Attempt): Promise<void> {
  const { signal } = attempt
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(abortedBy(signal))
    const xhr = new XMLHttpRequest()
    const abort = () => xhr.abort()
    signal.addEventListener('abort', abort)
    attempt.onStart(0)
    xhr.open('POST', withBase(urls.upload(path, override)))
    for (const [name, value] of Object.entries(headersFor(file))) xhr.setRequestHeader(name, value)
    xhr.upload.onprogress = ({ loaded }) => attempt.onSent(Math.min(loaded, file.size))
    xhr.onabort = () => reject(abortedBy(signal))
    xhr.onerror = () => reject(noResponse())
    xhr.onload = () => {
      const { status, responseText: body } = xhr
      if (status >= 200 && status < 300) {
        reportEntry(attempt, (name) => xhr.getResponseHeader(name))
        return resolve()
      }
      reject(faultOf({ status, body, header: (name) => xhr.getResponseHeader(name) }))
    }
    xhr.onloadend = () => signal.removeEventListener('abort', abort)
    xhr.send(body)
  })
}

function headersFor(file: File): Record<string, string> {
  return {
    'Content-Type': 'application/octet-stream',
    [MODIFIED_HEADER]: String(file.lastModified),
    [TOKEN_HEADER]: currentToken() ?? '',
  }
}
