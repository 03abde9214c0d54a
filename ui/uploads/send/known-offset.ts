/** Avoids a HEAD request of the tus client whose response is already known. */
import type { HttpRequest, HttpStack } from 'tus-js-client'

/** @returns an HTTP stack that answers the first HEAD request with the known offset, and sends all other requests */
export function withKnownOffset(
  stack: HttpStack,
  { offset, length }: { offset: number; length: number },
): HttpStack {
  let isAnswered = false
  return {
    getName: () => stack.getName(),
    createRequest(method, url) {
      if (method !== 'HEAD' || isAnswered) return stack.createRequest(method, url)
      isAnswered = true
      return localRequest(method, url, {
        'Upload-Offset': `${offset}`,
        'Upload-Length': `${length}`,
      })
    },
  }
}

/** A request that is not sent: its response is 200 with the given headers. */
function localRequest(method: string, url: string, headers: Record<string, string>): HttpRequest {
  const response = {
    getStatus: () => 200,
    getHeader: (name: string) => headers[name],
    getBody: () => '',
    getUnderlyingObject: () => undefined,
  }
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: () => undefined,
    getHeader: () => undefined,
    setProgressHandler: () => undefined,
    send: async () => response,
    abort: async () => undefined,
    getUnderlyingObject: () => undefined,
  }
}
