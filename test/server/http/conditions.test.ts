/** Range and conditional requests: which part of a file is sent, and whether the client has the file already. */
import { expect, test } from 'bun:test'
import { isUnchanged, setLength, unsatisfiable, wantedRange } from '#server/http/conditions.ts'
import type { AnyCall } from '#server/http/context.ts'

const FILE = { etag: '"v1"', modifiedMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678), sizeBytes: 100 }
const MODIFIED = 'Fri, 02 Jan 2026 03:04:05 GMT'
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT'

/** A call with these headers, the only part that the conditions read. */
function call(headers: Record<string, string>): AnyCall {
  const req = { header: (name: string) => headers[name] }
  return { req } as unknown as AnyCall
}

const wanted = (range: string, more: Record<string, string> = {}, file = FILE) =>
  wantedRange(call({ range, ...more }), file)

test.each<[string, number, number]>([
  ['bytes=0-0', 0, 0],
  ['bytes=10-19', 10, 19],
  ['bytes=90-', 90, 99],
  ['bytes=90-1000', 90, 99],
  ['bytes=-10', 90, 99],
  ['bytes=-1000', 0, 99],
  [' bytes=5-6 ', 5, 6],
])('the range %s of 100 bytes is %d to %d', (header, first, last) => {
  expect(wanted(header)).toEqual({ first, last })
})

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])(
  'the range %s of 100 bytes cannot be satisfied',
  (header) => {
    expect(wanted(header)).toBe('unsatisfiable')
  },
)

test('no range of an empty file can be satisfied', () => {
  const empty = { ...FILE, sizeBytes: 0 }
  expect(['bytes=0-', 'bytes=-5'].map((range) => wanted(range, {}, empty))).toEqual([
    'unsatisfiable',
    'unsatisfiable',
  ])
})

test.each(['bytes=-', 'bytes=20-10', 'bytes=0-1,5-6', 'bytes=a-b', 'lines=0-1', 'bytes 0-1', ''])(
  'the header %j is ignored, and the whole file is sent',
  (header) => {
    expect(wanted(header)).toBeUndefined()
  },
)

test('a range belongs to the version that If-Range names, by its tag or by its time', () => {
  const range = (condition: string) => wanted('bytes=0-9', { 'if-range': condition })
  expect(range('"v1"')).toEqual({ first: 0, last: 9 })
  expect(range(MODIFIED)).toEqual({ first: 0, last: 9 })
  for (const other of ['"v2"', 'W/"v1"', BEFORE, 'nonsense']) expect(range(other)).toBeUndefined()
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
  expect(has({})).toBe(false)
})
