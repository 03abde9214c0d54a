/** What a request says, parsed or refused. */
import type { z } from 'zod'
import { networkOf } from '#server/access/network.ts'
import { Fault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { parsePath, parseUrlPath, type SpelledPath, type TreePath } from '#wire/paths.ts'
import { sentenceOf } from '#wire/shape-sentences.ts'
import type { AnyCall } from './context.ts'

/**
 * The tree path after a route's prefix, from the raw address: Hono's own is half decoded.
 *
 * @throws Fault badRequest
 */
export function pathAfter(call: AnyCall, prefix: string): SpelledPath {
  return parseUrlPath(call.var.path.slice(prefix.length))
}

/** A flag of the query: the literal `true` and nothing else (docs/api.md 1.5). */
export function flag(call: AnyCall, name: string): boolean {
  return call.req.query(name) === 'true'
}

/**
 * A path in the query, decoded once more than the query itself, as File Browser's clients encode it
 * (docs/api.md 1.5).
 *
 * @throws Fault badRequest when it is absent or does not decode
 */
export function pathInQuery(call: AnyCall, name: string): TreePath {
  const once = call.req.query(name)
  if (!once) throw new Fault('badRequest', `${name} is missing`)
  try {
    return parsePath(decodeURIComponent(once.replaceAll('+', ' ')))
  } catch {
    throw new Fault(
      'badRequest',
      `${name} does not decode; encode the path, then encode it as a query value`,
    )
  }
}

/**
 * The body as JSON of a shape.
 *
 * @throws Fault badRequest naming the field, tooLarge
 */
export async function jsonBody<T>(call: AnyCall, shape: z.ZodType<T>): Promise<T> {
  return parseJson(await bodyText(call, LIMITS.jsonBodyMaxBytes), shape)
}

/** As `jsonBody`; an empty body is `standard`. @throws as `jsonBody` */
export async function jsonBodyOr<T>(call: AnyCall, shape: z.ZodType<T>, standard: T): Promise<T> {
  const text = await bodyText(call, LIMITS.jsonBodyMaxBytes)
  return text.trim() === '' ? standard : parseJson(text, shape)
}

/**
 * The form of somebody who is not signed in, as JSON of a shape: small, soon, and not too many at a
 * time.
 *
 * @param standard what an empty body stands for; without it an empty body is no form
 * @throws Fault badRequest naming the field, tooLarge, aborted when it does not arrive in time,
 *   tooMany (of one address), unavailable (of all)
 */
export async function anonymousForm<T>(
  call: AnyCall,
  shape: z.ZodType<T>,
  standard?: T,
): Promise<T> {
  using _ = call.var.limits.forms.acquire(networkOf(call.var.address))
  const text = await inTime(call, bodyText(call, LIMITS.credentialsMaxBytes))
  return standard !== undefined && text.trim() === '' ? standard : parseJson(text, shape)
}

/** How long a stranger's form may take, unless connections may be silent for less. */
const FORM_WITHIN_MS = 10_000

/** @throws Fault aborted */
async function inTime<T>(call: AnyCall, work: Promise<T>): Promise<T> {
  const { idleSec } = call.env
  const withinMs = idleSec > 0 ? Math.min(FORM_WITHIN_MS, idleSec * 1000) : FORM_WITHIN_MS
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new Fault('aborted', 'The form did not arrive in time.'))
  }, withinMs)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    // What is read after the deadline fails, and nobody waits for it.
    work.catch(() => undefined)
  }
}

function parseJson<T>(text: string, shape: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Fault('badRequest', 'The body is not JSON.')
  }
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Fault('badRequest', sentenceOf(parsed.error))
}

/**
 * A body that fits into memory by its limit. More of it is read and dropped, as far as that is bearable:
 * whoever sends it hears of the refusal only then.
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
    if (total > limitBytes + LIMITS.refusedBodyReadBytes) throw tooLarge
    if (total <= limitBytes) chunks.push(chunk)
  }
  if (total > limitBytes) throw tooLarge
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * The body as a stream that fails when it grows past the limit or ends before its announced length.
 *
 * @param limitBytes 0 is no limit
 * @param stop breaks it off, with its reason
 * @throws Fault tooLarge at once when the announced length is too much
 */
export function bodyStream(
  call: AnyCall,
  limitBytes: number,
  stop: AbortSignal,
): ReadableStream<Uint8Array> {
  const announced = call.req.header('content-length')
  const refuse = () => new Fault('tooLarge', 'The file is larger than this server accepts.')
  if (limitBytes > 0 && Number(announced ?? 0) > limitBytes) throw refuse()
  let total = 0
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      stop.addEventListener('abort', () => controller.error(stop.reason))
    },
    transform(chunk, controller) {
      total += chunk.length
      if (limitBytes > 0 && total > limitBytes) controller.error(refuse())
      else controller.enqueue(chunk)
    },
    flush(controller) {
      if (announced !== undefined && total < Number(announced)) {
        controller.error(new Fault('aborted', 'The request ended before its body.'))
      }
    },
  })
  return call.req.raw.body?.pipeThrough(watched) ?? new Blob().stream()
}
