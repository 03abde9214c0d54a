/** Conditional and range requests (RFC 9110 sections 13 and 14). */
import type { ByteRange } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from './context.ts'
import { faultResponse } from './faults.ts'

/** The validators of a response. */
export interface Validators {
  /** A strong validator. */
  etag: string
  /** Undefined if there is no reliable time. */
  modifiedMs: number | undefined
  sizeBytes: number
}

/** @returns the requested range; undefined if the whole file is to be sent */
export function wantedRange(
  call: AnyCall,
  version: Validators,
): ByteRange | 'unsatisfiable' | undefined {
  if (!ifRangeHolds(call.req.header('if-range'), version)) return undefined
  return parseRange(call.req.header('range'), version.sizeBytes)
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

/**
 * Parses a Range header with one range. Several ranges and malformed headers are ignored, as RFC 9110 section 14.2
 * permits: the response is then the whole file.
 */
function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [from, to] = [match[1] ?? '', match[2] ?? '']
  if (from === '') {
    const suffix = Math.min(Number(to), sizeBytes)
    return suffix === 0 ? 'unsatisfiable' : { first: sizeBytes - suffix, last: sizeBytes - 1 }
  }
  const first = Number(from)
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (to !== '' && Number(to) < first) return undefined
  return first >= sizeBytes ? 'unsatisfiable' : { first, last }
}

/** Whether If-Range matches the present file (RFC 9110 section 13.1.5). */
function ifRangeHolds(header: string | undefined, { etag, modifiedMs }: Validators): boolean {
  if (header === undefined) return true
  if (header.startsWith('"')) return header === etag
  return modifiedMs !== undefined && Date.parse(header) === wholeSeconds(modifiedMs)
}

/**
 * Whether the client has this version. If-None-Match takes precedence over If-Modified-Since (RFC 9110 section
 * 13.2.2).
 */
export function isUnchanged(
  call: AnyCall,
  { etag, modifiedMs }: Pick<Validators, 'etag' | 'modifiedMs'>,
): boolean {
  const tags = call.req.header('if-none-match')
  if (tags !== undefined) {
    return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  }
  const since = Date.parse(call.req.header('if-modified-since') ?? '')
  return modifiedMs !== undefined && wholeSeconds(modifiedMs) <= since
}

function wholeSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000
}
