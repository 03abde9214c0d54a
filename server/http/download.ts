/** A file's bytes as an answer: name, type, range, conditions, and the policy for people's bytes. */

import type { Scope } from '#server/access/scope.ts'
import { typeOf } from '#server/files/file.ts'
import { mediaType } from '#server/files/kinds.ts'
import type { ByteRange, Node } from '#server/storage/storage.ts'
import type { EntryType } from '#wire/entry.ts'
import { Fault } from '#wire/fault.ts'
import { displayName } from '#wire/names.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { Call } from './context.ts'
import { faultResponse } from './faults.ts'
import { USER_BYTES_POLICY } from './headers.ts'
import { sendFile } from './send-file.ts'

/** Types a browser shows without running anything; the rest is saved, whatever was asked. */
const INLINE: readonly EntryType[] = ['image', 'video', 'audio', 'pdf', 'text', 'textImmutable']

/**
 * Sends one file: whole, a range of it (RFC 9110 section 14), or 304 when the client has it already
 * (section 13).
 *
 * @throws Fault forbidden, notFound, isDirectory, unsupported
 */
export async function download(call: Call, scope: Scope, path: TreePath): Promise<Response> {
  const wanted = { unsatisfiable: false }
  const opened = await scope.read(path, (node) => {
    const range = parseRange(call.req.header('range'), node.sizeBytes)
    const current = ifRangeHolds(call.req.header('if-range'), node)
    if (range === 'unsatisfiable') wanted.unsatisfiable = current
    return range === 'unsatisfiable' || !current ? undefined : range
  })
  const { node, range, bytes } = opened
  const without = async (answer: Response) => {
    await bytes.cancel()
    return answer
  }
  try {
    const unchanged = isUnchanged(call, node)
    if (wanted.unsatisfiable && !unchanged) return await without(unsatisfiable(node))
    const headers = headersOf(call, node, nameOf(path), await typeOf(scope, node))
    if (unchanged) return await without(new Response(null, { status: 304, headers }))
    const length = range ? range.last - range.first + 1 : node.sizeBytes
    headers.set('Content-Length', String(length))
    if (range) headers.set('Content-Range', `bytes ${range.first}-${range.last}/${node.sizeBytes}`)
    const init = { status: range ? 206 : 200, headers }
    if (call.req.method === 'HEAD') return await without(new Response(null, init))
    return await sendFile(call, opened, init)
  } catch (error) {
    await bytes.cancel().catch(() => undefined)
    throw error
  }
}

/** A refusal that says how long the file is (RFC 9110 section 14.4). */
function unsatisfiable({ sizeBytes }: Node): Response {
  const answer = faultResponse(new Fault('rangeUnsatisfiable', `The file has ${sizeBytes} bytes.`))
  answer.headers.set('Content-Range', `bytes */${sizeBytes}`)
  return answer
}

/**
 * What is said of a file with its bytes and without them: a browser writes the headers of a 304 over
 * those it keeps (RFC 9111 section 3.2), the policy among them.
 */
function headersOf(call: Call, node: Node, name: string, type: EntryType): Headers {
  const inline = call.req.query('inline') === 'true' && INLINE.includes(type)
  return new Headers({
    ETag: etagOf(node),
    'Last-Modified': new Date(node.modifiedMs).toUTCString(),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': disposition(inline ? 'inline' : 'attachment', name),
    'Content-Type': inline ? shownAs(name, type) : 'application/octet-stream',
    'Content-Security-Policy': type === 'pdf' && inline ? PDF_POLICY : USER_BYTES_POLICY,
    'X-Content-Type-Options': 'nosniff',
  })
}

/** A page or a stylesheet is shown as the text that it is: no browser takes it for anything else. */
function shownAs(name: string, type: EntryType): string {
  const isText = type === 'text' || type === 'textImmutable'
  return isText ? 'text/plain; charset=utf-8' : mediaType(name, type)
}

/** Browsers refuse to show a PDF in a sandbox; without scripts and elsewhere it is as harmless. */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** The version of a file as a strong validator. */
export function etagOf(node: Node): string {
  return `"${node.version}"`
}

/** `attachment; filename*=utf-8''…`, encoded as RFC 8187 asks: no byte of a name can end the header. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const encoded = encodeURIComponent(displayName(name, '%').toWellFormed()).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename*=utf-8''${encoded}`
}

/**
 * One range of a Range header. Several ranges, and headers that make no sense, are ignored, as RFC
 * 9110 section 14.2 allows: the whole file is the answer then.
 */
export function parseRange(
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

/** Whether a range belongs to the file as it is now (RFC 9110 section 13.1.5). */
function ifRangeHolds(header: string | undefined, node: Node): boolean {
  if (header === undefined) return true
  if (header.startsWith('"')) return header === etagOf(node)
  return Date.parse(header) === Math.floor(node.modifiedMs / 1000) * 1000
}

/** If-None-Match wins over If-Modified-Since (RFC 9110 section 13.2.2). */
function isUnchanged(call: Call, node: Node): boolean {
  const tags = call.req.header('if-none-match')
  if (tags !== undefined) {
    return (
      tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(node))
    )
  }
  const since = Date.parse(call.req.header('if-modified-since') ?? '')
  return Math.floor(node.modifiedMs / 1000) * 1000 <= since
}

/**
 * Whether If-Match lets a change go on: absent, `*`, or the present version.
 */
export function ifMatch(call: Call): (node: Node) => boolean {
  const tags = call.req.header('if-match')
  if (tags === undefined || tags.trim() === '*') return () => true
  return (node) => tags.split(',').some((tag) => tag.trim() === etagOf(node))
}
