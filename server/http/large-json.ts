/** Responses of many megabytes: a few are built at a time, and each counts until it is sent. */

import { collectInSlices } from '#server/slices.ts'
import { isUnchanged } from './conditions.ts'
import { encodeBody } from './content-coding.ts'
import type { AnyCall } from './context.ts'
import { isAnonymous, limitKey, streamResponse } from './in-flight.ts'
import { JSON_TYPE } from './present.ts'

/** Smaller responses are not counted. */
const SMALL_BYTES = 256 * 1024
const SLICE_BYTES = 64 * 1024

/**
 * Waits for a permit, builds a value and sends it as JSON.
 *
 * @throws Fault tooMany (this user waits for too many), unavailable (all users do); what `make` throws
 */
export async function sendJsonQueued(
  call: AnyCall,
  make: () => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = async () => ({ pieces: await collectInSlices(jsonPieces(await make())) })
  return queued(call, body, { ...JSON_TYPE, ...headers })
}

/** A value with its ETag; it is built only if the client does not have it. */
export interface TaggedValue {
  tag: string
  make(): Promise<unknown>
}

/**
 * As `sendJsonQueued`, with 304 if If-None-Match names the tag.
 *
 * @throws as `sendJsonQueued`
 */
export async function sendTaggedJsonQueued(
  call: AnyCall,
  begin: () => Promise<TaggedValue>,
): Promise<Response> {
  const body = async () => {
    const { tag, make } = await begin()
    const etag = `"${tag}"`
    const headers = { ETag: `W/${etag}` }
    if (isUnchanged(call, { etag, modifiedMs: undefined, sizeBytes: 0 })) {
      return { pieces: undefined, headers }
    }
    return { pieces: await collectInSlices(jsonPieces(await make())), headers }
  }
  return queued(call, body, JSON_TYPE)
}

/**
 * As `sendJsonQueued`, for a text.
 *
 * @throws as `sendJsonQueued`
 */
export async function sendTextQueued(
  call: AnyCall,
  make: () => Promise<string>,
  headers: Record<string, string>,
): Promise<Response> {
  return queued(call, async () => ({ pieces: [await make()] }), headers)
}

/** List values that are converted in one step. */
const STEP = 16

/** Yields a value as JSON; lists, and objects that hold lists, in pieces. */
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
  for (let index = 0; index < list.length; index += STEP) {
    yield before + JSON.stringify(list.slice(index, index + STEP)).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

interface Body {
  /** The pieces of the text; undefined for a client that has it. */
  pieces: string[] | undefined
  headers?: Record<string, string>
}

async function queued(
  call: AnyCall,
  make: () => Promise<Body>,
  baseHeaders: Record<string, string>,
): Promise<Response> {
  const { limits } = call.var
  const { semaphore, responses } = isAnonymous(call)
    ? limits.publicLargeResponses
    : limits.largeResponses
  using _ = await semaphore.acquire(limitKey(call))
  const body = await make()
  const headers = { ...baseHeaders, ...body.headers }
  if (!body.pieces) return new Response(null, { status: 304, headers })
  const { bytes, headers: coding } = await encodeBody(call, Buffer.from(body.pieces.join('')))
  const length = { 'Content-Length': String(bytes.length) }
  const init = { headers: { ...headers, ...coding, ...length } }
  if (bytes.length < SMALL_BYTES) return new Response(bytes, init)
  // A response counts by its MiB.
  const permit = responses.acquire(limitKey(call), Math.ceil(bytes.length / 2 ** 20))
  return streamResponse(call, slicesOf(bytes), init, permit)
}

function slicesOf(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array> {
  let offset = 0
  return new ReadableStream({
    pull(controller) {
      if (offset >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(offset, offset + SLICE_BYTES))
      offset += SLICE_BYTES
    },
  })
}
