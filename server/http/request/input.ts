/** Parses and validates the input of requests. */
import type { z } from 'zod'
import { networkPrefix } from '#server/lib/network.ts'
import { freeBytes } from '#server/lib/received-bytes.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, parseUrlPath, type RequestPath, type TreePath } from '#wire/paths.ts'
import { sentenceOf } from '#wire/shapes/shape-sentences.ts'
import type { AnyCall } from '../context/context.ts'
import { checkedBytes, checkedStream, fileTooLarge } from './body-stream.ts'

/**
 * The tree path after a route's prefix. The raw address is parsed, because Hono decodes only parts of a path.
 *
 * @throws Fault badRequest (the path does not decode, or is too long or too deep)
 */
export function pathAfter(call: AnyCall, prefix: string): RequestPath {
  return parseUrlPath(call.var.path.slice(prefix.length))
}

/** A flag in the query: only the literal `true` counts (docs/api.md 1.5). */
export function flag(call: AnyCall, name: string): boolean {
  return call.req.query(name) === 'true'
}

/**
 * A path in the query, encoded once more than the query itself, as File Browser's clients do (docs/api.md 1.5).
 *
 * @throws Fault badRequest (it is absent or does not decode, or is too long or too deep)
 */
export function pathInQuery(call: AnyCall, name: string): TreePath {
  const encoded = call.req.query(name)
  if (!encoded) throw new Fault('badRequest', `The parameter ${name} is missing.`)
  return parsePath(decodedParameter(encoded.replaceAll('+', ' '), name))
}

/** @throws Fault badRequest */
function decodedParameter(encoded: string, name: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new Fault(
      'badRequest',
      `The parameter ${name} cannot be decoded. Percent-encode the path, then encode it again as a query value.`,
    )
  }
}

/**
 * Parses the body as JSON of a shape. A later call gets the same body.
 *
 * @throws Fault badRequest naming the field, tooLarge
 */
export async function jsonBody<T>(call: AnyCall, shape: z.ZodType<T>): Promise<T> {
  const text = call.var.jsonText ?? (await bodyText(call, SERVER_LIMITS.jsonBodyMaxBytes))
  call.set('jsonText', text)
  return parseJson(text, shape)
}

/**
 * Parses the body as JSON of a shape; an empty body means `standard`.
 *
 * @throws as `jsonBody`
 */
export async function jsonBodyOr<T>(call: AnyCall, shape: z.ZodType<T>, standard: T): Promise<T> {
  const text = await bodyText(call, SERVER_LIMITS.jsonBodyMaxBytes)
  return text.trim() === '' ? standard : parseJson(text, shape)
}

/**
 * Parses the form of a user without a session as JSON, with limits of size, time and number.
 *
 * @param standard the value for an empty body; without it an empty body is refused
 * @throws Fault badRequest naming the field, tooLarge, aborted if it does not arrive in time, tooMany (of one
 *   address), unavailable (of all)
 */
export async function anonymousForm<T>(
  call: AnyCall,
  shape: z.ZodType<T>,
  standard?: T,
): Promise<T> {
  const text = await anonymousText(call, SERVER_LIMITS.credentialsMaxBytes)
  return standard !== undefined && text.trim() === '' ? standard : parseJson(text, shape)
}

/**
 * The body of a client without a session as text, as `anonymousForm`.
 *
 * @throws Fault tooLarge, aborted, tooMany, unavailable
 */
export async function anonymousText(call: AnyCall, limitBytes: number): Promise<string> {
  using _ = call.var.limits.forms.acquire(networkPrefix(call.var.address))
  // Awaited here, so that the permit is held until the text is read.
  return await withinDeadline(call, bodyText(call, limitBytes))
}

/** The time limit for the form of a user without a session, unless the idle timeout is shorter. */
const FORM_WITHIN_MS = 10_000

/** @throws Fault aborted (the form did not arrive in time) */
async function withinDeadline<T>(call: AnyCall, work: Promise<T>): Promise<T> {
  const { idleSec } = call.env
  const withinMs = idleSec > 0 ? Math.min(FORM_WITHIN_MS, idleSec * 1000) : FORM_WITHIN_MS
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Fault('aborted', 'The form did not arrive in time. Send it again.'))
  }, withinMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    // The read fails after the deadline, without a handler.
    work.catch(() => undefined)
  }
}

function parseJson<T>(text: string, shape: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const isEmpty = text.trim() === ''
    throw new Fault(
      'badRequest',
      isEmpty ? 'The body is empty. It must be JSON.' : 'The body is not JSON.',
    )
  }
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Fault('badRequest', sentenceOf(parsed.error))
}

/**
 * Reads a body into memory up to a limit. Clients read a refusal when they have sent everything. So a larger body
 * without an announced length is read on and dropped, up to `SERVER_LIMITS.refusedBodyReadBytes`.
 *
 * @throws Fault tooLarge
 */
async function bodyText(call: AnyCall, limitBytes: number): Promise<string> {
  const tooLarge = new Fault('tooLarge', `The body is larger than ${limitBytes} bytes.`)
  if (Number(call.req.header('content-length') ?? 0) > limitBytes) throw tooLarge
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of call.req.raw.body ?? []) {
    total += chunk.length
    if (total > limitBytes + SERVER_LIMITS.refusedBodyReadBytes) throw tooLarge
    if (total <= limitBytes) chunks.push(chunk)
  }
  if (total > limitBytes) throw tooLarge
  return Buffer.concat(chunks).toString('utf8')
}

/** A body of at most this size is read at once, because its stream takes longer than its bytes. */
const AT_ONCE_BYTES = 64 * 1024

/**
 * The body as the content of a file: the bytes of a small one, or a stream as of `fileStream`.
 *
 * @throws as `bodyStream`
 */
export function fileContent(
  call: AnyCall,
  limitBytes: number,
  stop: AbortSignal,
): ByteStream | Promise<Uint8Array> {
  const announcedBytes = announcedBytesOf(call)
  const isSmall = announcedBytes !== undefined && announcedBytes <= AT_ONCE_BYTES
  if (!isSmall) return fileStream(call, limitBytes, stop)
  if (limitBytes > 0 && announcedBytes > limitBytes) throw fileTooLarge()
  return wholeBody(call, announcedBytes, stop)
}

/**
 * As `bodyStream`, for the content of a file. Each chunk is usable until the next one is read, because its memory is
 * freed then.
 *
 * @throws Fault tooLarge
 */
export function fileStream(call: AnyCall, limitBytes: number, stop: AbortSignal): ByteStream {
  return bodyStream(call, limitBytes, stop, freeBytes)
}

async function wholeBody(
  call: AnyCall,
  announcedBytes: number,
  stop: AbortSignal,
): Promise<Uint8Array> {
  call.set('upload', { bytes: undefined, announcedBytes })
  const bytes = await checkedBytes(call.req.raw.bytes(), announcedBytes, stop)
  const { metrics, route } = call.var
  metrics.countBytes('received', route, bytes.length)
  return bytes
}

/**
 * The body as a stream that fails if it exceeds the limit or ends before its announced length.
 *
 * @param limitBytes 0 means no limit
 * @param stop makes the stream fail with the reason of the signal
 * @param onUsed receives each chunk when the next one is read
 * @throws Fault tooLarge at once if the announced length exceeds the limit
 */
export function bodyStream(
  call: AnyCall,
  limitBytes: number,
  stop: AbortSignal,
  onUsed?: (chunk: Uint8Array) => void,
): ReadableStream<Uint8Array> {
  const announcedBytes = announcedBytesOf(call)
  if (limitBytes > 0 && (announcedBytes ?? 0) > limitBytes) throw fileTooLarge()
  const { metrics, route } = call.var
  const { body } = call.req.raw
  if (!body) return new Blob().stream()
  const received = { bytes: 0, announcedBytes }
  call.set('upload', received)
  return checkedStream(body, {
    limitBytes,
    announcedBytes,
    stop,
    onRead({ length }) {
      received.bytes += length
      metrics.countBytes('received', route, length)
    },
    onUsed,
  })
}

/** The announced length of the body; undefined if there is none. */
export function announcedBytesOf(call: AnyCall): number | undefined {
  const announced = call.req.header('content-length')
  return announced === undefined ? undefined : Number(announced)
}
