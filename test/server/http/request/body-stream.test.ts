/** Bodies of requests: limits, announced lengths, and the memory of chunks. */
import { expect, test } from 'bun:test'
import { checkedBytes, checkedStream } from '#server/http/request/body-stream.ts'
import { freeBytes } from '#server/lib/received-bytes.ts'
import { isFault } from '#wire/fault.ts'

const chunks = () => [1, 2].map((value) => new Uint8Array(4).fill(value))

function streamOf(parts: readonly Uint8Array[], isOpen = false): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      if (!isOpen) controller.close()
    },
  })
}

function options() {
  const stop = new AbortController()
  const read: number[] = []
  const onRead = ({ length }: Uint8Array) => void read.push(length)
  return { stop, read, checks: { limitBytes: 0, announcedBytes: 8, stop: stop.signal, onRead } }
}

test('the memory of a chunk is freed when the next one is read, and not before', async () => {
  const given = chunks()
  const { checks } = options()
  const body = checkedStream(streamOf(given), { ...checks, onUsed: freeBytes }).getReader()
  expect((await body.read()).value).toEqual(new Uint8Array(4).fill(1))
  expect(given.map(({ length }) => length)).toEqual([4, 4])
  expect((await body.read()).value).toEqual(new Uint8Array(4).fill(2))
  expect(given.map(({ length }) => length)).toEqual([0, 4])
  expect((await body.read()).done).toBe(true)
  expect(given.map(({ length }) => length)).toEqual([0, 0])
})

test('each chunk is counted, and a whole body ends', async () => {
  const { checks, read } = options()
  expect(await new Response(checkedStream(streamOf(chunks()), checks)).bytes()).toHaveLength(8)
  expect(read).toEqual([4, 4])
})

test('a body without a length ends where the connection ends it', async () => {
  const { checks } = options()
  const body = checkedStream(streamOf(chunks()), { ...checks, announcedBytes: undefined })
  expect(await new Response(body).bytes()).toHaveLength(8)
})

test.each([
  [{ limitBytes: 7 }, 'tooLarge'],
  [{ announcedBytes: 9 }, 'aborted'],
] as const)('a body with the checks %o fails with %s', async (changes, code) => {
  const { checks } = options()
  const body = checkedStream(streamOf(chunks()), { ...checks, ...changes })
  const error = await new Response(body).bytes().catch((error) => error)
  expect(isFault(error, code)).toBe(true)
})

test('a body that was stopped before it is read fails with the reason', async () => {
  const { checks, stop } = options()
  const reason = new Error('Another request continues.')
  stop.abort(reason)
  const reading = checkedStream(streamOf(chunks(), true), checks).getReader().read()
  expect(await reading.catch((error) => error)).toBe(reason)
})

test('a stopped body fails with the reason, also while it waits for bytes', async () => {
  const { checks, stop } = options()
  let cancelled: unknown
  const open = new ReadableStream<Uint8Array>({
    cancel(reason) {
      cancelled = reason
    },
  })
  const reading = checkedStream(open, checks).getReader().read()
  const reason = new Error('The session has ended.')
  stop.abort(reason)
  expect(await reading.catch((error) => error)).toBe(reason)
  expect(cancelled).toBe(reason)
})

test('a small body that is stopped fails with the reason, although its bytes do not arrive', async () => {
  const never = new Promise<never>(() => undefined)
  const reason = new Error('The session has ended.')
  for (const isStoppedBefore of [true, false]) {
    const stop = new AbortController()
    if (isStoppedBefore) stop.abort(reason)
    const waiting = checkedBytes(never, 8, stop.signal)
    stop.abort(reason)
    expect(await waiting.catch((error) => error)).toBe(reason)
  }
})

test('a small body has all announced bytes, or fails', async () => {
  const { signal } = new AbortController()
  const bytes = new Uint8Array(8)
  expect(await checkedBytes(Promise.resolve(bytes), 8, signal)).toBe(bytes)
  const error = await checkedBytes(Promise.resolve(bytes), 9, signal).catch((error) => error)
  expect(isFault(error, 'aborted')).toBe(true)
})
