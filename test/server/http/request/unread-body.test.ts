/** The rest of a refused request. */
import { expect, test } from 'bun:test'
import { dropUnreadBody } from '#server/http/request/unread-body.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

const MIB = 2 ** 20

/** A request whose body has no end. */
function endless(): { request: Request; sentBytes: () => number; isCancelled: () => boolean } {
  let sent = 0
  let cancelled = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        sent += MIB
        controller.enqueue(new Uint8Array(MIB))
      },
      cancel: () => {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const headers = { Connection: 'close' }
  const request = new Request('http://localhost/', { method: 'POST', headers, body })
  return { request, sentBytes: () => sent, isCancelled: () => cancelled }
}

test('of a refused body without an end, no more is read than of any other refused body', async () => {
  const { request, sentBytes, isCancelled } = endless()
  await dropUnreadBody(request)
  expect(sentBytes()).toBe(SERVER_LIMITS.refusedBodyReadBytes + MIB)
  expect(isCancelled()).toBe(true)
})
