/** Conditional requests (RFC 9110 section 13). */
import { Fault } from '#wire/fault.ts'
import type { AnyCall } from '../context/context.ts'
import { parseHttpDate } from './http-date.ts'

/** The validators of a response. */
export interface Validators {
  /** The header `ETag`; undefined if the response has none. */
  etag: string | undefined
  /** Undefined if there is no reliable time. */
  modifiedMs: number | undefined
}

/**
 * Refuses a request for other content than the current one, as of a client that continues a download. Must be called
 * before a range is used (RFC 9110 section 13.2.2).
 *
 * @throws Fault precondition (If-Match or If-Unmodified-Since does not hold)
 */
export function requireConditions(call: AnyCall, version: Validators): void {
  if (conditionsHold(call, version)) return
  throw new Fault('precondition', 'The content was changed. Request it again from its beginning.')
}

/**
 * Whether If-Match holds, or without it If-Unmodified-Since (RFC 9110 sections 13.1.1 and 13.1.4).
 *
 * @returns true if the request has neither
 */
export function conditionsHold({ req }: AnyCall, { etag, modifiedMs }: Validators): boolean {
  const tags = req.header('if-match')
  if (tags !== undefined) return tags.trim() === '*' || hasStrong(tags, etag)
  const since = req.header('if-unmodified-since')
  if (since === undefined || modifiedMs === undefined) return true
  const sinceMs = parseHttpDate(since)
  return sinceMs === undefined || wholeSeconds(modifiedMs) <= sinceMs
}

/**
 * Whether the client has this version: If-None-Match, or without it If-Modified-Since. If-Match and
 * If-Unmodified-Since are checked before (RFC 9110 section 13.2.2).
 *
 * @throws as `requireConditions`
 */
export function isUnchanged(call: AnyCall, version: Validators): boolean {
  requireConditions(call, version)
  const { etag, modifiedMs } = version
  const tags = call.req.header('if-none-match')
  if (tags !== undefined) return tags.trim() === '*' || hasWeak(tags, etag)
  const since = call.req.header('if-modified-since')
  if (since === undefined || modifiedMs === undefined) return false
  const sinceMs = parseHttpDate(since)
  return sinceMs !== undefined && wholeSeconds(modifiedMs) <= sinceMs
}

/**
 * Whether If-Range names the current version (RFC 9110 section 13.1.5).
 *
 * A time is a strong validator only when its second has passed (section 8.8.2.2): before that, the content may change
 * again and keep this time.
 */
export function ifRangeHolds({ req }: AnyCall, { etag, modifiedMs }: Validators): boolean {
  const condition = req.header('if-range')
  if (condition === undefined) return true
  if (condition.includes('"')) return isStrong(etag) && condition.trim() === etag
  if (modifiedMs === undefined) return false
  const changedMs = wholeSeconds(modifiedMs)
  return parseHttpDate(condition) === changedMs && Date.now() >= changedMs + 1000
}

/** Whether one of the tags is equal to the current one. Weak tags are equal to none (RFC 9110 section 8.8.3.2). */
function hasStrong(list: string, etag: string | undefined): boolean {
  return isStrong(etag) && tagsIn(list).includes(etag)
}

function isStrong(etag: string | undefined): etag is string {
  return etag?.startsWith('"') === true
}

/** Whether one of the tags is equal to the current one, also if one of the two is weak. */
function hasWeak(list: string, etag: string | undefined): boolean {
  return etag !== undefined && tagsIn(list).some((tag) => opaque(tag) === opaque(etag))
}

/** The tags of a list, with their quotes, and `W/` before weak ones (RFC 9110 section 8.8.3). */
function tagsIn(list: string): string[] {
  return list.match(/(?:W\/)?"[^"]*"/g) ?? []
}

/** The tag without the mark of a weak one. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}

/** Headers have whole seconds. */
function wholeSeconds(timeMs: number): number {
  return Math.floor(timeMs / 1000) * 1000
}
