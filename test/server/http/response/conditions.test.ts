/** Range and conditional requests: which part of a file is sent, and whether the client has the file already. */
import { afterEach, expect, setSystemTime, test } from 'bun:test'
import type { AnyCall } from '#server/http/context/context.ts'
import { conditionsHold, isUnchanged } from '#server/http/response/conditions.ts'
import { requestedPart, setLength, unsatisfiable } from '#server/http/response/ranges.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'

const FILE = { etag: '"v1"', modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678), sizeBytes: 100 }
const MODIFIED = 'Fri, 02 Jan 2026 03:04:05 GMT'
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT'

/** A call with these headers, the only part that the conditions read. */
function call(headers: Record<string, string>): AnyCall {
  const req = { header: (name: string) => headers[name] }
  return { req } as unknown as AnyCall
}

const wanted = (range: string, more: Record<string, string> = {}, file = FILE) =>
  requestedPart(call({ range, ...more }), file)

afterEach(() => {
  setSystemTime()
})

test.each<[string, number, number]>([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=90-', 90, 99],
  ['bytes=90-1000', 90, 99],
  ['bytes=-10', 90, 99],
  ['bytes=-1000', 0, 99],
  [' bytes=5-6 ', 5, 6],
])('the range %s of 100 bytes is %d to %d', (header, first, last) => {
  expect(wanted(header)).toEqual([{ first, last }])
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])(
  'the range %s of 100 bytes cannot be satisfied',
  (header) => {
    expect(wanted(header)).toBe('unsatisfiable')
  },
)

test('a range of an empty file is ignored, as some clients send one with every request', () => {
  const empty = { ...FILE, sizeBytes: 0 }
  expect(['bytes=0-', 'bytes=-5'].map((range) => wanted(range, {}, empty))).toEqual([[], []])
})

test.each<[string, [number, number][]]>([
  [
    'bytes=0-1,5-6',
    [
      [0, 1],
      [5, 6],
    ],
  ],
  [
    'bytes=5-6, 0-1',
    [
      [5, 6],
      [0, 1],
    ],
  ],
  [
    'bytes=0-10,5-15',
    [
      [0, 10],
      [5, 15],
    ],
  ],
  [
    'bytes=0-49,50-',
    [
      [0, 49],
      [50, 99],
    ],
  ],
  [
    'bytes=-1 , ,0-0,',
    [
      [99, 99],
      [0, 0],
    ],
  ],
  ['bytes=0-0,200-', [[0, 0]]],
  ['bytes=200-,-0,3-3', [[3, 3]]],
])('%s are several ranges, in their order and without those outside', (header, ranges) => {
  expect(wanted(header)).toEqual(ranges.map(([first, last]) => ({ first, last })))
})

test('several ranges outside the file cannot be satisfied', () => {
  expect(wanted('bytes=100-,200-300,-0')).toBe('unsatisfiable')
})

test.each([
  'bytes=-',
  'bytes=20-10',
  'bytes=a-b',
  'bytes=',
  'bytes=,',
  'lines=0-1',
  'bytes 0-1',
  '',
  'bytes=0-1,20-10',
  'bytes=0-1,a',
  // More bytes than the file.
  'bytes=0-,0-',
  'bytes=0-50,50-',
])('the header %j is ignored, and the whole file is sent', (header) => {
  expect(wanted(header)).toEqual([])
})

test('too many ranges are ignored, and the whole file is sent', () => {
  const large = { ...FILE, sizeBytes: 10_000 }
  const many = (count: number) => `bytes=${Array.from({ length: count }, () => '0-0').join()}`
  expect(wanted(many(SERVER_LIMITS.rangesMax), {}, large)).toHaveLength(SERVER_LIMITS.rangesMax)
  expect(wanted(many(SERVER_LIMITS.rangesMax + 1), {}, large)).toEqual([])
})

test('a range belongs to the version that If-Range names, by its tag or by its time', () => {
  const range = (condition: string) => wanted('bytes=0-9', { 'if-range': condition })
  expect(range('"v1"')).toEqual([{ first: 0, last: 9 }])
  expect(range(MODIFIED)).toEqual([{ first: 0, last: 9 }])
  const others = ['"v2"', 'W/"v1"', '"v0", "v1"', BEFORE, 'nonsense']
  for (const other of others) expect([other, range(other)]).toEqual([other, []])
})

test('a time names a version only when its second has passed', () => {
  const range = () => wanted('bytes=0-9', { 'if-range': MODIFIED })
  setSystemTime(Date.UTC(2026, 0, 2, 3, 4, 5, 999))
  expect(range()).toEqual([])
  setSystemTime(Date.UTC(2026, 0, 2, 3, 4, 6))
  expect(range()).toEqual([{ first: 0, last: 9 }])
})

test('If-Match compares strong tags, and comes before the time', () => {
  const holds = (headers: Record<string, string>, etag = FILE.etag) =>
    conditionsHold(call(headers), { ...FILE, etag })
  for (const tags of ['"v1"', ' "v1" ', '"v0","v1"', '"a,b", "v1"', '*']) {
    expect([tags, holds({ 'if-match': tags })]).toEqual([tags, true])
  }
  for (const tags of ['"v0"', 'W/"v1"', 'v1', '"v"', '', '"v1', '"*"']) {
    expect([tags, holds({ 'if-match': tags })]).toEqual([tags, false])
  }
  expect(holds({ 'if-match': 'W/"v1"' }, 'W/"v1"')).toBe(false)
  expect(holds({ 'if-match': '"v1"', 'if-unmodified-since': BEFORE })).toBe(true)
  expect(holds({ 'if-match': '"v0"', 'if-unmodified-since': MODIFIED })).toBe(false)
})

test('If-Unmodified-Since holds until the second of the change, and for what is not a date', () => {
  const holds = (since: string, modifiedMs: number | undefined = FILE.modifiedMs) =>
    conditionsHold(call({ 'if-unmodified-since': since }), { ...FILE, modifiedMs })
  expect([BEFORE, MODIFIED, 'nonsense', '1', ''].map((since) => holds(since))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ])
  const none = { etag: undefined, modifiedMs: undefined }
  expect(conditionsHold(call({ 'if-unmodified-since': BEFORE }), none)).toBe(true)
  expect(conditionsHold(call({ 'if-match': '"v1"' }), none)).toBe(false)
  expect(conditionsHold(call({ 'if-match': '*' }), none)).toBe(true)
})

test('the response to a range names the range and the total size', () => {
  const headers = new Headers()
  expect(setLength(headers, 100, { first: 10, last: 19 })).toBe(206)
  expect(headers.get('Content-Length')).toBe('10')
  expect(headers.get('Content-Range')).toBe('bytes 10-19/100')
  const whole = new Headers()
  expect(setLength(whole, 100, undefined)).toBe(200)
  expect([whole.get('Content-Length'), whole.get('Content-Range')]).toEqual(['100', null])
  const refusal = unsatisfiable(100)
  expect([refusal.status, refusal.headers.get('Content-Range')]).toEqual([416, 'bytes */100'])
})

test('an entity tag takes precedence over the time to decide whether content has changed', () => {
  const has = (headers: Record<string, string>) => isUnchanged(call(headers), FILE)
  expect(
    ['"v1"', 'W/"v1"', '"v0", "v1"', '*'].map((tags) => has({ 'if-none-match': tags })),
  ).toEqual([true, true, true, true])
  expect(has({ 'if-none-match': '"v2"', 'if-modified-since': MODIFIED })).toBe(false)
  expect(has({ 'if-modified-since': MODIFIED })).toBe(true)
  expect(has({ 'if-modified-since': BEFORE })).toBe(false)
  expect(has({ 'if-modified-since': 'nonsense' })).toBe(false)
  expect(has({ 'if-modified-since': '2099' })).toBe(false)
  expect(has({})).toBe(false)
  expect(isUnchanged(call({ 'if-none-match': 'W/"v1"' }), { ...FILE, etag: 'W/"v1"' })).toBe(true)
  expect(() => has({ 'if-match': '"v0"', 'if-none-match': '"v1"' })).toThrow('changed')
})
