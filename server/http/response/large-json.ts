/**
 * Sends JSON and text that may have many megabytes. Only a few such responses are built at a time, and a large one counts
 * by its size until it is sent. It is generated while it is sent.
 */

import { runInSlices } from '#server/lib/slices.ts'
import type { AnyCall } from '../context/context.ts'
import { isAnonymous, limitKey, streamResponse } from '../lifetime/in-flight.ts'
import { isUnchanged } from './conditions.ts'
import { acceptsCompression, encodeBody, encodeStream } from './content-coding.ts'
import { JSON_TYPE } from './present.ts'

/** Smaller responses are sent at once, and do not count. */
const SMALL_BYTES = 256 * 1024
/** The text of a listing divided by its compressed size. */
const COMPRESSION = 10
/** The text that is converted to bytes in one step. */
const CHUNK_CHARACTERS = 64 * 1024

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
  const body = async () => bodyOf(await make())
  return queued(call, body, { ...JSON_TYPE, ...headers })
}

/** A value with its ETag; it is built only if the client does not have it. */
export interface TaggedValue {
  tag: string
  make(): Promise<object>
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
  using _ = await acquireBuildPermit(call)
  return sendTagged(call, await begin())
}

/** @throws Fault tooMany, unavailable, precondition (as `requireConditions`); what `make` throws */
export async function sendTagged(call: AnyCall, { tag, make }: TaggedValue): Promise<Response> {
  const etag = `W/"${tag}"`
  const headers = { ...JSON_TYPE, ETag: etag }
  if (isUnchanged(call, { etag, modifiedMs: undefined })) {
    return new Response(null, { status: 304, headers })
  }
  return send(call, bodyOf(await make()), headers)
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
  return queued(call, async () => ({ pieces: [await make()], items: 0 }), headers)
}

/** List values that are converted in one step. */
const STEP = 16

/** Yields the bytes of a value as JSON in chunks, and undefined after each piece that fills none. */
export function jsonChunks(value: unknown): Generator<Buffer<ArrayBuffer> | undefined> {
  return chunksOf(jsonPieces(value))
}

/** Yields a value as JSON; lists and other iterables, and objects that hold them, in pieces. */
function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value)
  if (isIterable(value)) return yield* listPieces(value)
  let before = '{'
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (isIterable(inner)) yield* listPieces(inner)
    else yield JSON.stringify(inner)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function* listPieces(list: Iterable<unknown>): Generator<string> {
  let before = '['
  let step: unknown[] = []
  for (const value of list) {
    step.push(value)
    if (step.length < STEP) continue
    yield before + JSON.stringify(step).slice(1, -1)
    before = ','
    step = []
  }
  if (step.length > 0) yield before + JSON.stringify(step).slice(1, -1)
  else if (before === '[') yield before
  yield ']'
}

interface Body {
  /** The pieces of the text. */
  pieces: Iterable<string>
  /** How many list items the text has. */
  items: number
}

function bodyOf(value: unknown): Body {
  const lists = [value, ...(typeof value === 'object' && value ? Object.values(value) : [])]
  const items = lists.reduce<number>((sum, list) => sum + lengthOf(list), 0)
  return { pieces: jsonPieces(value), items }
}

/** @returns the length of a list; 0 for any other value */
function lengthOf(value: unknown): number {
  return isIterable(value) && 'length' in value ? Number(value.length) : 0
}

async function queued(
  call: AnyCall,
  make: () => Promise<Body>,
  headers: Record<string, string>,
): Promise<Response> {
  using _ = await acquireBuildPermit(call)
  return send(call, await make(), headers)
}

/**
 * Waits for a permit to build a response that may be large.
 *
 * @throws Fault tooMany (this user waits for too many), unavailable (all users do)
 */
export async function acquireBuildPermit(call: AnyCall): Promise<Disposable> {
  return limitsOf(call).builds.wait(limitKey(call))
}

/** The limits of large responses: how many are built at a time, and how many MiB are being sent. */
function limitsOf(call: AnyCall) {
  const { limits } = call.var
  return isAnonymous(call) ? limits.publicLargeResponses : limits.largeResponses
}

async function send(call: AnyCall, body: Body, headers: Record<string, string>): Promise<Response> {
  const chunks = chunksOf(body.pieces)
  const first = await runInSlices(gather(chunks, SMALL_BYTES))
  if (first.bytes.length < SMALL_BYTES) {
    const { bytes, headers: coding } = await encodeBody(call, first.bytes)
    const length = { 'Content-Length': String(bytes.length) }
    return new Response(bytes, { headers: { ...headers, ...coding, ...length } })
  }
  // The total length is estimated from the first items.
  const itemBytes = first.bytes.length / (first.pieces * STEP)
  const expectedBytes = Math.max(first.bytes.length, body.items * itemBytes)
  return sendGenerated(call, { first: first.bytes, rest: inTasks(chunks), expectedBytes, headers })
}

/** A text of which only the first bytes exist. */
export interface GeneratedText {
  first: Uint8Array
  rest: AsyncIterable<Uint8Array>
  /** The estimated length of the whole text. */
  expectedBytes: number
  headers: Record<string, string>
}

/**
 * Sends a text that is generated while it is sent. Until then it counts by its size in MiB.
 *
 * @throws Fault tooMany, unavailable
 */
export function sendGenerated(call: AnyCall, text: GeneratedText): Response {
  const sentMib = text.expectedBytes / (acceptsCompression(call) ? COMPRESSION : 1) / 2 ** 20
  const permit = limitsOf(call).responses.acquire(limitKey(call), Math.ceil(sentMib))
  const { bytes, headers } = encodeStream(call, text.first, text.rest)
  return streamResponse(call, bytes, { headers: { ...text.headers, ...headers } }, permit)
}

/** Yields the bytes of a text in chunks, and undefined after each piece that fills none. */
function* chunksOf(pieces: Iterable<string>): Generator<Buffer<ArrayBuffer> | undefined> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < CHUNK_CHARACTERS) {
      yield undefined
      continue
    }
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/**
 * Takes chunks until they have at least `bytesMin` bytes, or the text ends.
 *
 * @returns their bytes, and the number of pieces of which they consist
 */
function* gather(
  chunks: Iterator<Buffer<ArrayBuffer> | undefined>,
  bytesMin: number,
): Generator<void, { bytes: Buffer<ArrayBuffer>; pieces: number }> {
  const taken: Buffer[] = []
  let [pieces, length] = [0, 0]
  for (; length < bytesMin; pieces += 1) {
    const { done, value } = chunks.next()
    if (done) break
    yield
    if (!value) continue
    taken.push(value)
    length += value.length
  }
  return { bytes: Buffer.concat(taken), pieces }
}

/**
 * Yields the chunks, each in a task of its own. Promises alone let no other event run: a client
 * that reads fast would stop all others.
 */
export async function* inTasks(
  chunks: Iterable<Uint8Array | undefined>,
): AsyncGenerator<Uint8Array, void> {
  for (const chunk of chunks) {
    if (!chunk) continue
    await new Promise(setImmediate)
    yield chunk
  }
}
