/**
 * Sends the first items of a large value before the others are known, in two lines of JSON: the value with its first
 * items, then the whole value. A value that is complete at once is sent as one JSON text.
 */
import { LINES_TYPE } from '#wire/api/entry.ts'
import type { AnyCall } from '../context/context.ts'
import {
  acquireBuildPermit,
  inTasks,
  jsonChunks,
  sendGenerated,
  sendTagged,
  type TaggedValue,
} from './large-json.ts'

/**
 * Whether a client accepts the two lines. With a condition on the tag it gets one JSON text, because 304 or 412 may be
 * the response.
 */
export function acceptsLines({ req }: AnyCall): boolean {
  if (!(req.header('accept') ?? '').includes(LINES_TYPE)) return false
  return req.header('if-none-match') === undefined && req.header('if-match') === undefined
}

/**
 * Waits for a permit, builds a value and sends it. The second line contains the tag in `etag`, since the headers are sent
 * before the tag is known.
 *
 * @param begin may call its argument with the first items, and how many there are
 * @throws Fault tooMany, unavailable; what `begin` throws
 */
export async function sendLinesQueued(
  call: AnyCall,
  begin: (onFirst: (first: FirstItems, total: number) => void) => Promise<TaggedValue>,
): Promise<Response> {
  const permit = await acquireBuildPermit(call)
  const early = Promise.withResolvers<{ first: FirstItems; total: number }>()
  const value = begin((first, total) => early.resolve({ first, total }))
    // Sorting is a part of the building, so it is done before the permit is released.
    .then(async ({ tag, make }) => {
      const made = await make()
      return { tag, make: async () => made }
    })
    .finally(() => permit[Symbol.dispose]())
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
