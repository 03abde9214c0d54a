/** Reads the rest of a refused request, so that its client receives the refusal. */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

/** The time limit for the rest of a body. */
const READ_WITHIN_MS = 10_000

/**
 * Reads and drops the body of a refused request whose connection is closed after the response. If it is closed while
 * the client still sends, the client loses the response (RFC 9112 section 9.6): nginx, which asks for this by default,
 * reports 502 instead. On connections that stay open, the runtime reads the rest itself. Beyond
 * `SERVER_LIMITS.refusedBodyReadBytes` the rest is not read.
 */
export async function dropUnreadBody({ headers, body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return
  if (!/\bclose\b/i.test(headers.get('connection') ?? '')) return
  const reader = body.getReader()
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), READ_WITHIN_MS)
  try {
    let readBytes = 0
    while (readBytes <= SERVER_LIMITS.refusedBodyReadBytes) {
      const { done, value } = await reader.read()
      if (done) return
      readBytes += value.length
    }
    await reader.cancel()
  } catch {
    // The client has left.
  } finally {
    clearTimeout(timer)
  }
}
