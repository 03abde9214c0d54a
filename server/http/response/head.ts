/** Responses to HEAD: those of GET without the body (RFC 9110 section 9.3.2). */

/** Header of a response whose length is not known in advance. */
export const UNKNOWN_LENGTH = { 'Transfer-Encoding': 'chunked' } as const

/**
 * The response without its body, but with its length.
 *
 * @param isStreamed whether the body would be generated while it is sent; its source is cancelled then
 */
export async function withoutBody(response: Response, isStreamed: boolean): Promise<Response> {
  if (!response.body) return response
  const { status, headers } = response
  if (isStreamed) {
    await response.body.cancel()
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked')
  } else {
    headers.set('Content-Length', String((await response.blob()).size))
  }
  return new Response(null, { status, headers })
}
