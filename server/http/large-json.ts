/** Answers that may be many megabytes: made by few at a time, and counted until they are sent. */
import { BOUNDS } from '#server/access/bounds.ts'
import { Places } from '#server/access/places.ts'
import { SharedTurns } from '#server/access/shared-turns.ts'
import type { Call } from './context.ts'
import { JSON_TYPE } from './present.ts'
import { stream, whose } from './under-way.ts'

/** Strangers with a link to a large folder keep nobody waiting who is signed in. */
const PEOPLE = limits()
const STRANGERS = limits()

function limits() {
  return { turns: new SharedTurns(BOUNDS.listings), answers: new Places(BOUNDS.answers) }
}

function limitsOf({ var: { entrance } }: Call) {
  return (entrance as Partial<typeof entrance> | undefined)?.user ? PEOPLE : STRANGERS
}

/** Less than this is not counted: it is on its way at once. */
const SMALL_BYTES = 256 * 1024
const SLICE_BYTES = 64 * 1024

/**
 * Makes a value that may be large in turn, and sends it as JSON.
 *
 * @throws Fault tooMany (of one), unavailable (of all); what `make` throws
 */
export async function listed(
  call: Call,
  make: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return sentInTurn(call, async () => JSON.stringify(await make()), { ...JSON_TYPE, ...headers })
}

/** The same for a text. @throws as `listed` */
export async function sentInTurn(
  call: Call,
  make: () => Promise<string>,
  headers: Record<string, string>,
): Promise<Response> {
  using _ = await limitsOf(call).turns.take(whose(call))
  const bytes = Buffer.from(await make())
  const init = { headers: { ...headers, 'Content-Length': String(bytes.length) } }
  if (bytes.length < SMALL_BYTES) return new Response(bytes, init)
  const held = limitsOf(call).answers.take(whose(call), Math.ceil(bytes.length / 2 ** 20))
  return stream(call, slicesOf(bytes), init, held)
}

function slicesOf(bytes: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES))
      at += SLICE_BYTES
    },
  })
}
