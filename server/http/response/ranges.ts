/** Requests for a part of a file (RFC 9110 section 14). */

import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { ByteRange } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'
import { faultResponse } from '../context/faults.ts'
import { ifRangeHolds, isUnchanged, type Validators } from './conditions.ts'

/** What a response contains: nothing, because the client has it; some ranges; or, without ranges, the whole file. */
export type RequestedPart = 'unchanged' | 'unsatisfiable' | readonly ByteRange[]

/**
 * Evaluates the conditions and ranges of a GET or HEAD request, in the order of RFC 9110 section 13.2.2.
 *
 * @throws Fault precondition (the request is for other content than the current)
 */
export function requestedPart(
  call: AnyCall,
  version: Validators & { sizeBytes: number },
): RequestedPart {
  if (isUnchanged(call, version)) return 'unchanged'
  const header = call.req.header('range')
  if (header === undefined || !ifRangeHolds(call, version)) return []
  return parseRanges(header, version.sizeBytes)
}

/**
 * Parses a Range header, as Go's `http.ServeContent` does. Ranges outside the file are left out. The header is ignored,
 * as RFC 9110 section 14.2 permits, if it is malformed, if the file is empty, if there are too many ranges, or if they
 * have more bytes than the file.
 */
function parseRanges(header: string, sizeBytes: number): RequestedPart {
  const list = /^bytes=(.*)$/i.exec(header.trim())?.[1]
  if (list === undefined || sizeBytes === 0) return []
  const items = list.split(',', SERVER_LIMITS.rangesMax + 1)
  if (items.length > SERVER_LIMITS.rangesMax) return []
  const ranges: ByteRange[] = []
  let [hasRange, totalBytes] = [false, 0]
  for (const item of items) {
    if (item.trim() === '') continue
    const range = parseRange(item.trim(), sizeBytes)
    if (!range) return []
    hasRange = true
    if (range === 'unsatisfiable') continue
    ranges.push(range)
    totalBytes += range.last - range.first + 1
  }
  if (totalBytes > sizeBytes || !hasRange) return []
  return ranges.length === 0 ? 'unsatisfiable' : ranges
}

/** Parses `FIRST-LAST`, `FIRST-` or `-LENGTH`; undefined if it is malformed. */
function parseRange(text: string, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^(\d*)-(\d*)$/.exec(text) ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const suffix = Math.min(Number(to), sizeBytes)
    return suffix === 0 ? 'unsatisfiable' : { first: sizeBytes - suffix, last: sizeBytes - 1 }
  }
  const first = Number(from)
  if (to !== '' && Number(to) < first) return undefined
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  return first >= sizeBytes ? 'unsatisfiable' : { first, last }
}

/** A 416 response with the length of the whole file (RFC 9110 section 14.4). */
export function unsatisfiable(sizeBytes: number): Response {
  const response = faultResponse(
    new Fault('rangeUnsatisfiable', `The range is outside the file, which has ${sizeBytes} bytes.`),
  )
  response.headers.set('Content-Range', `bytes */${sizeBytes}`)
  return response
}

/**
 * Sets the headers of length and range.
 *
 * @returns the status
 */
export function setLength(
  headers: Headers,
  sizeBytes: number,
  range: ByteRange | undefined,
): 200 | 206 {
  headers.set('Content-Length', String(range ? range.last - range.first + 1 : sizeBytes))
  if (!range) return 200
  headers.set('Content-Range', `bytes ${range.first}-${range.last}/${sizeBytes}`)
  return 206
}

/** Whether a request is for a later part of a file: one that does not begin at its first byte. */
export function isLaterPart(range: string | null | undefined): boolean {
  return range != null && !/^bytes[ =]0-/i.test(range)
}
