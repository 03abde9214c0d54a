/** Answers that may be many megabytes: made by few at a time, and counted until they are sent. */

import { ConcurrencyLimit } from '#server/access/concurrency-limit.ts'
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { FairSemaphore } from '#server/access/fair-semaphore.ts'
import { inSlices } from '#server/slices.ts'
import { isUnchanged } from './conditions.ts'
import { coded } from './content-coding.ts'
import type { AnyCall } from './context.ts'
import { limitKey, stream } from './in-flight.ts'
import { JSON_TYPE } from './present.ts'

/** Strangers with a link to a large folder keep nobody waiting who is signed in. */
const PEOPLE = limits()
const ANONYMOUS = limits()

function limits() {
  return {
    semaphore: new FairSemaphore(CONCURRENCY_LIMITS.listings),
    answers: new ConcurrencyLimit(CONCURRENCY_LIMITS.answers),
  }
}

function limitsOf({ var: { auth } }: AnyCall) {
  return (auth as Partial<typeof auth> | undefined)?.user ? PEOPLE : ANONYMOUS
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
  call: AnyCall,
  make: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const pieces = async () => inSlices(jsonPieces(await make()))
  return queued(call, pieces, { ...JSON_TYPE, ...headers })
}

/** The same, with a tag: a client that names it by `If-None-Match` gets 304. @throws as `listed` */
export async function listedWithTag(
  call: AnyCall,
  make: () => Promise<unknown>,
): Promise<Response> {
  return queued(call, async () => inSlices(jsonPieces(await make())), JSON_TYPE, true)
}

/** The same for a text. @throws as `listed` */
export async function sendQueued(
  call: AnyCall,
  make: () => Promise<string>,
  headers: Record<string, string>,
): Promise<Response> {
  return queued(call, async () => [await make()], headers)
}

/** Values of a list that become text in one step. */
const STEP = 16

/** A value as JSON, piece by piece where it is a list, or an object that holds lists. */
function* jsonPieces(value: unknown): Generator<string> {
  if (Array.isArray(value)) return yield* listPieces(value)
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value)
  let before = '{'
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (Array.isArray(inner)) yield* listPieces(inner)
    else yield JSON.stringify(inner)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  let before = '['
  for (let at = 0; at < list.length; at += STEP) {
    yield before + JSON.stringify(list.slice(at, at + STEP)).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function queued(
  call: AnyCall,
  make: () => Promise<string[]>,
  headers: Record<string, string>,
  tagged = false,
): Promise<Response> {
  using _ = await limitsOf(call).semaphore.take(limitKey(call))
  const text = Buffer.from((await make()).join(''))
  const etag = tagged ? tagOf(text) : undefined
  const tag = etag === undefined ? {} : { ETag: `W/${etag}` }
  if (
    etag !== undefined &&
    isUnchanged(call, { etag, modifiedMs: undefined, sizeBytes: text.length })
  ) {
    return new Response(null, { status: 304, headers: { ...headers, ...tag } })
  }
  const { bytes, headers: coding } = await coded(call, text)
  const length = { 'Content-Length': String(bytes.length) }
  const init = { headers: { ...headers, ...tag, ...coding, ...length } }
  if (bytes.length < SMALL_BYTES) return new Response(bytes, init)
  const held = limitsOf(call).answers.acquire(limitKey(call), Math.ceil(bytes.length / 2 ** 20))
  return stream(call, slicesOf(bytes), init, held)
}

/**
 * Names what is sent, and nothing else: whatever rights, rules, order and times it comes from are in it. A change
 * that leaves the folder's time as it was is one, too.
 */
function tagOf(text: Uint8Array): string {
  return `"${Bun.hash.wyhash(text).toString(16)}-${text.length.toString(16)}"`
}

function slicesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + SLICE_BYTES))
      at += SLICE_BYTES
    },
  })
}
