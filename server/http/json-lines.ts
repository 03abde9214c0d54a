/**
 * Sends the beginning of a large value before the rest of it is known: two lines of JSON, the first rows and the whole.
 * A value that is complete at once is sent as usual.
 */
import { LINES_TYPE } from '#wire/entry.ts'
import type { AnyCall } from './context.ts'
import {
  inTasks,
  jsonChunks,
  sendGenerated,
  sendTagged,
  type TaggedValue,
  turnOf,
} from './large-json.ts'

/** Whether a client accepts the two lines, and does not ask whether its own version is current. */
export function acceptsLines(call: AnyCall): boolean {
  const accepted = call.req.header('accept') ?? ''
  return accepted.includes(LINES_TYPE) && call.req.header('if-none-match') === undefined
}

/**
 * The second line holds the tag in `etag`, since headers are sent before it is known.
 *
 * @param begin may call its argument with the first items, and how many there are
 * @throws Fault tooMany, unavailable; what `begin` throws
 */
export async function sendLinesQueued(
  call: AnyCall,
  begin: (onFirst: (first: FirstItems, total: number) => void) => Promise<TaggedValue>,
): Promise<Response> {
  const turn = await turnOf(call)
  const early = Promise.withResolvers<{ first: FirstItems; total: number }>()
  const value = begin((first, total) => early.resolve({ first, total })).finally(() =>
    turn[Symbol.dispose](),
  )
  const known = await Promise.race([early.promise, value.then(() => undefined)])
  if (!known) return sendTagged(call, await value)
  const { first, total } = known
  const line = Buffer.concat([...jsonChunks(first), NEWLINE].filter((chunk) => chunk !== undefined))
  return sendGenerated(call, {
    first: line,
    rest: linesAfter(value),
    expectedBytes: (line.length / first.items.length) * total,
    headers: { 'Content-Type': LINES_TYPE },
  })
}

/** The value with its first items only. */
interface FirstItems {
  items: Iterable<unknown> & { length: number }
}

const NEWLINE = Buffer.from('\n')

/** The second line. */
async function* linesAfter(value: Promise<TaggedValue>): AsyncGenerator<Uint8Array, void> {
  const { tag, make } = await value
  yield* inTasks(jsonChunks({ etag: `W/"${tag}"`, ...(await make()) }))
}
