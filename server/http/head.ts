/** Answers to HEAD: those to GET without their bytes (RFC 9110 section 9.3.2). */

/** What an answer says whose length only its end tells. */
export const UNKNOWN_LENGTH = { 'Transfer-Encoding': 'chunked' } as const

/**
 * The same answer without its body, and with the length that the body has.
 *
 * @param streams the body is made while it is sent: what would have made it is let go
 */
export async function withoutBody(answer: Response, streams: boolean): Promise<Response> {
  if (!answer.body) return answer
  const { status, headers } = answer
  if (streams) {
    await answer.body.cancel()
    if (!headers.has('Content-Length')) headers.set('Transfer-Encoding', 'chunked')
  } else {
    headers.set('Content-Length', String((await answer.blob()).size))
  }
  return new Response(null, { status, headers })
}
