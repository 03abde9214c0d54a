/** Threads that all archives share. */
import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { CODEC_THREADS, CodecWorkers, codecThreads } from '#server/archives/codecs/codec-workers.ts'

const block = () => new Uint8Array(800_000).fill(7)
const stream = (stop = new AbortController()) => new CodecWorkers('bzip2', stop.signal)

test('the number of codec threads is limited, and they end with the last stream', async () => {
  await using one = stream()
  {
    await using two = stream()
    const work = [one, two].flatMap((each) =>
      Array.from({ length: 8 }, () => each.compress(block())),
    )
    expect(codecThreads()).toBe(CODEC_THREADS)
    await Promise.all(work)
    expect(codecThreads()).toBe(CODEC_THREADS)
  }
  expect(codecThreads()).toBe(CODEC_THREADS)
  await one[Symbol.asyncDispose]()
  expect(codecThreads()).toBe(0)
})

test('codec threads serve the stream that has waited longest', async () => {
  await using greedy = stream()
  await using modest = stream()
  const order: string[] = []
  const much = Array.from({ length: 10 * CODEC_THREADS }, () =>
    greedy.compress(new Uint8Array(randomBytes(200_000))).then(() => order.push('greedy')),
  )
  const little = modest.compress(new Uint8Array(1000)).then(() => order.push('modest'))
  await Promise.all([...much, little])
  // If it were served last, only the blocks that the threads compress at that time could end after it.
  const after = order.length - order.indexOf('modest') - 1
  expect(after).toBeGreaterThan(CODEC_THREADS)
})

test('codec threads and waiting work end when their stream is stopped', async () => {
  const stop = new AbortController()
  await using leaving = stream(stop)
  await using staying = stream()
  const work = Array.from({ length: 4 * CODEC_THREADS }, () =>
    leaving.compress(block()).catch(String),
  )
  const other = staying.compress(block())
  stop.abort()
  expect(new Set(await Promise.all(work))).toEqual(new Set(['Error: The stream has ended.']))
  expect((await other).length).toBeGreaterThan(0)
  await leaving[Symbol.asyncDispose]()
  expect(codecThreads()).toBeLessThanOrEqual(1)
  expect(await leaving.compress(block()).catch(String)).toBe('Error: The stream has ended.')
})

test('codec threads have ended when their stream ends', async () => {
  const stop = new AbortController()
  const left = new CodecWorkers('xz', stop.signal)
  const each = Array.from({ length: CODEC_THREADS })
  await Promise.all(each.map(() => left.compress(block())))
  const work = each.map(() => left.compress(new Uint8Array(randomBytes(4 * 2 ** 20))).catch(String))
  // There is no event for the start of the work in a thread.
  await Bun.sleep(50)
  stop.abort()
  await Promise.all(work)
  await left[Symbol.asyncDispose]()
  const before = workTimes()
  await Bun.sleep(1000)
  // A thread that is about to leave may still be there, but no longer compresses.
  for (const [thread, ticks] of workTimes())
    expect(ticks - (before.get(thread) ?? 0)).toBeLessThan(20)
})

/** The computing time of each worker thread that the system knows, in ticks of its clock (proc(5)). */
function workTimes(): Map<string, number> {
  const times = new Map<string, number>()
  for (const thread of readdirSync('/proc/self/task')) {
    const [, name, rest = ''] = statOf(thread)?.match(/^\d+ \((.*)\) (.*)$/s) ?? []
    if (name === 'Worker') times.set(thread, Number(rest.split(' ')[11]))
  }
  return times
}

/** A thread may end while the list of all is read. */
function statOf(thread: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch {
    return undefined
  }
}
