/** Sends a file: its name, type, ranges, conditions, and the policy for user content. */

import type { Scope } from '#server/access/scope/scope.ts'
import { typeByContent } from '#server/files/content/file.ts'
import { mediaType } from '#server/files/file-types.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { EntryType } from '#wire/api/entry.ts'
import { nameOf, type TreePath } from '#wire/paths.ts'
import type { AnyCall } from '../context/context.ts'
import { conditionsHold } from './conditions.ts'
import { disposition } from './disposition.ts'
import { USER_BYTES_POLICY } from './headers.ts'
import { type RequestedPart, requestedPart, setLength, unsatisfiable } from './ranges.ts'
import { sendFile } from './send-file.ts'
import { sendRanges } from './send-ranges.ts'

/** Types that a browser displays without running code; others are always saved. */
const INLINE: readonly EntryType[] = ['image', 'video', 'audio', 'pdf', 'text', 'textImmutable']

/** Opens a file. `range` chooses the bytes to send when the file's size is known; undefined means all. */
type Read = (range: (node: Node) => ByteRange | undefined) => Promise<Opened>

/**
 * Sends a file: the whole, one or several ranges (RFC 9110 section 14), or 304 (section 13).
 *
 * @param earlier reads an earlier version of the file, which is always saved
 * @throws Fault forbidden, notFound, isDirectory, unsupported, precondition (the request is for other content)
 */
export async function sendDownload(
  call: AnyCall,
  scope: Scope,
  path: TreePath,
  earlier?: Read,
): Promise<Response> {
  let requested: RequestedPart | undefined
  const read: Read = earlier ?? ((range) => scope.read(path, range))
  const opened = await read((node) => {
    requested = requestedPart(call, validatorsOf(node))
    return typeof requested !== 'string' && requested.length === 1 ? requested[0] : undefined
  })
  const { node, range } = opened
  const closing = (response: Response) => {
    opened.close()
    return response
  }
  try {
    if (requested === 'unsatisfiable') return closing(unsatisfiable(node.sizeBytes))
    // The type is needed only for display.
    const isShown = call.req.query('inline') === 'true' && !earlier
    const type = isShown ? await typeByContent(scope, node) : 'blob'
    const headers = headersOf(call, node, nameOf(path), type)
    if (requested === 'unchanged') return closing(new Response(null, { status: 304, headers }))
    if (requested && requested.length > 1) return await sendRanges(call, opened, requested, headers)
    const status = setLength(headers, node.sizeBytes, range)
    if (call.req.method === 'HEAD') return closing(new Response(null, { status, headers }))
    return await sendFile(call, opened, { status, headers })
  } catch (error) {
    opened.close()
    throw error
  }
}

/**
 * The headers of the response with and without a body: a browser updates its cached headers from a 304 (RFC 9111
 * section 3.2).
 */
function headersOf(call: AnyCall, node: Node, name: string, type: EntryType): Headers {
  const headers = contentHeaders(call, name, type)
  headers.set('ETag', etagOf(node))
  headers.set('Last-Modified', new Date(node.modifiedMs).toUTCString())
  headers.set('Accept-Ranges', 'bytes')
  return headers
}

/** The headers of user content: how a browser may display it. */
export function contentHeaders(call: AnyCall, name: string, type: EntryType): Headers {
  const inline = call.req.query('inline') === 'true' && INLINE.includes(type)
  return new Headers({
    'Cache-Control': 'private, no-cache',
    'Content-Disposition': disposition(inline ? 'inline' : 'attachment', name),
    'Content-Type': inline ? inlineTypeOf(name, type) : 'application/octet-stream',
    'Content-Security-Policy': type === 'pdf' && inline ? PDF_POLICY : USER_BYTES_POLICY,
    'X-Content-Type-Options': 'nosniff',
  })
}

/** Text, also HTML and stylesheets, is displayed as plain text in UTF-8, so that browsers do not guess. */
function inlineTypeOf(name: string, type: EntryType): string {
  const isText = type === 'text' || type === 'textImmutable'
  return isText ? 'text/plain; charset=utf-8' : mediaType(name)
}

/** Browsers do not display a PDF in a sandbox; without scripts and on the content origin it is equally safe. */
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

/** @returns the version of a file as a strong ETag */
export function etagOf(node: Pick<Node, 'version'>): string {
  return `"${node.version}"`
}

function validatorsOf(node: Node) {
  return { etag: etagOf(node), modifiedMs: node.modifiedMs, sizeBytes: node.sizeBytes }
}

/** @returns a predicate: whether the conditions of a request that overwrites a file hold for its current content */
export function mayOverwrite(call: AnyCall): (node: Node) => boolean {
  return (node) => conditionsHold(call, validatorsOf(node))
}
