/** Files and folders: list, create, save and delete (docs/api.md 1.4 and 1.5). */

import { z } from 'zod'
import { ScopeFolder } from '#server/access/scope/scope-folder.ts'
import { checksum } from '#server/files/content/checksum.ts'
import { readFileEntry, typeByContent } from '#server/files/content/file.ts'
import { entryOf } from '#server/files/entry.ts'
import { recursive } from '#server/files/listing/recursive.ts'
import type { Node } from '#server/storage/node.ts'
import {
  CHECKSUM_ALGORITHMS,
  type FileEntry,
  FOLDER_SIZES_HEADER,
  sentTime,
} from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { Fault, readFaultHeader } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { fileShape, flatListShape, listingShape } from '#wire/shapes/response-shapes.ts'
import { sendListing } from '../content/listing.ts'
import type { AnyCall, AuditNote, Call, Route } from '../context/context.ts'
import {
  BYTES_BODY,
  CHANGED_SINCE,
  FORM_RESPONSES,
  HOLDS_MOUNT,
  IN_USE,
  NOT_FOUND,
  OK_TEXT_WITH_ETAG,
  WRITE_RESPONSES,
} from '../context/route-docs.ts'
import { limitKey, streamResponse } from '../lifetime/in-flight.ts'
import { receiveWhileAllowed } from '../lifetime/while-allowed.ts'
import { auditNoteFor, pathIn } from '../request/audit.ts'
import { flag, pathAfter } from '../request/input.ts'
import { refuseForm, uploadedContent } from '../request/uploaded-content.ts'
import { requireConditions } from '../response/conditions.ts'
import { etagOf, mayOverwrite } from '../response/download.ts'
import { sendJsonQueued } from '../response/large-json.ts'
import { JSON_TYPE, jsonList, jsonResponse, okResponse } from '../response/present.ts'
import { sendFile } from '../response/send-file.ts'
import { transferRoute } from './transfer.ts'

const path = `${API.resources}/*`

export const resourceRoutes: Route[] = [
  {
    method: 'GET',
    path,
    needs: 'session',
    appPassword: 'any',
    docs: {
      summary:
        'Lists a folder, or returns a file with its text. A path that begins with `/recursive/` returns everything in a folder as one list',
      query: {
        checksum:
          '`md5`, `sha1`, `sha256` or `sha512`: returns this checksum of the file instead of its text',
        by: '`name`, `size` or `modified`: the order, instead of the one in the user’s preferences',
        asc: 'with `by`: `true` for ascending, `false` for descending',
      },
      headers: {
        'X-Encoding': '`true`: sends the bytes of a text file unchanged',
        [FOLDER_SIZES_HEADER]: '`true`: adds the total size of each folder, if it is known',
        'If-None-Match': 'the `ETag` of a listing that the client has',
        Accept:
          '`application/x-ndjson`: a large folder is sent in two lines of JSON, a listing with its first entries and then the whole listing with its `etag`',
      },
      responses: {
        200: {
          description: 'a listing, a file, or one list of everything',
          shape: z.union([listingShape, fileShape, flatListShape]),
        },
        304: 'the listing has not changed',
        400: 'the checksum is unknown, or the path with `/recursive/` is not a folder',
        403: 'a rule denies it, or a checksum without the right to download',
        404: NOT_FOUND,
        409: 'it is not a folder',
        412: CHANGED_SINCE,
        423: IN_USE,
        429: 'this user has too many listings, searches or checksums in progress',
        503: 'too many listings, searches or checksums run, or a disk does not respond',
      },
    },
    slow: true,
    async handle(call) {
      const { scope } = call.var
      const flat = recursivePath(call)
      if (flat) {
        const permit = call.var.limits.searches.acquire(limitKey(call))
        try {
          const entries = await recursive(scope, flat, call.req.raw.signal)
          return streamResponse(call, await jsonList(entries), { headers: JSON_TYPE }, permit)
        } catch (error) {
          permit[Symbol.dispose]()
          throw error
        }
      }
      const node = await scope.openOrStat(requestPath(call).path)
      if (node instanceof ScopeFolder) return sendListing(call, node)
      requireConditions(call, { etag: etagOf(node), modifiedMs: undefined })
      if (call.req.header('x-encoding') === 'true') return sendText(call, node)
      const algorithm = call.req.query('checksum')
      const tag = { ETag: etagOf(node) }
      if (algorithm) return jsonResponse(await withChecksum(call, node, algorithm), tag)
      return sendJsonQueued(call, () => readFileEntry(scope, node), tag)
    },
  },
  {
    method: 'POST',
    path,
    needs: 'create',
    appPassword: 'any',
    audit: (call) =>
      auditNoteFor(call.var.path.endsWith('/') ? 'newFolder' : 'upload', API.resources)(call),
    docs: {
      summary: 'Creates a file from the body, or a folder if the path ends with a slash',
      query: { override: '`true` replaces an existing file' },
      headers: { 'X-Modified': 'the file’s time, in milliseconds since 1970' },
      body: BYTES_BODY,
      responses: { ...WRITE_RESPONSES, 200: OK_TEXT_WITH_ETAG, ...FORM_RESPONSES },
    },
    async handle(call) {
      const { scope, app } = call.var
      const target = requestPath(call)
      if (target.asFolder) {
        refuseForm(call)
        await scope.mkdir(target.path)
        return okResponse(call)
      }
      const overwrite = flag(call, 'override')
      call.set('recheckAccess', () => scope.recheck('create', target.path))
      const node = await receiveWhileAllowed(call, (stop) => {
        const body = () => uploadedContent(call, app.config.number('uploadLimit'), stop)
        return scope.write(target.path, body, { overwrite, modifiedMs: modifiedMs(call) })
      })
      auditWritten(call, 'upload', node)
      return okResponse(call, { ETag: etagOf(node) })
    },
  },
  {
    method: 'PUT',
    path,
    needs: 'modify',
    appPassword: 'any',
    audit: auditNoteFor('save', API.resources),
    docs: {
      summary: 'Replaces the content of an existing file',
      headers: {
        'If-Match': 'the `ETag` of the content that was changed',
        'If-Unmodified-Since': 'without `If-Match`: its `Last-Modified`',
      },
      body: BYTES_BODY,
      responses: {
        ...WRITE_RESPONSES,
        200: OK_TEXT_WITH_ETAG,
        405: 'a folder has no content',
        412: 'the file was changed by someone else; nothing was written',
        ...FORM_RESPONSES,
      },
    },
    async handle(call) {
      const target = requestPath(call)
      if (target.asFolder) throw new Fault('methodNotAllowed', 'A folder has no content to save.')
      const { scope, app } = call.var
      call.set('recheckAccess', () => scope.recheck('modify', target.path))
      const node = await receiveWhileAllowed(call, (stop) => {
        const body = () => uploadedContent(call, app.config.number('uploadLimit'), stop)
        return scope.save(target.path, body, mayOverwrite(call))
      })
      auditWritten(call, 'save', node)
      return okResponse(call, { ETag: etagOf(node) })
    },
  },
  {
    method: 'DELETE',
    path,
    needs: 'delete',
    appPassword: 'any',
    audit: auditDeletion,
    docs: {
      summary: 'Deletes a file, or a folder with its content',
      query: {
        onlyToTrash:
          '`true`: deletes nothing permanently; what would not go to the trash is refused',
      },
      responses: {
        204: 'removed',
        403: 'the right is missing, or a rule protects something inside',
        404: NOT_FOUND,
        409: 'with `onlyToTrash`, it would be deleted permanently',
        413: 'the folder contains too many levels of folders',
        423: HOLDS_MOUNT,
        500: 'an event’s command failed',
        507: 'the disk is full',
      },
    },
    slow: true,
    async handle(call) {
      const onlyToTrash = flag(call, 'onlyToTrash')
      await call.var.scope.remove(requestPath(call).path, { onlyToTrash })
      return call.body(null, 204)
    },
  },
  transferRoute,
]

/** A client that asks whether the trash keeps something was not refused anything. */
function auditDeletion(call: AnyCall): AuditNote | undefined {
  const fault = readFaultHeader(call.res.headers.get(FAULT_HEADER) ?? '')
  if (fault?.options.reason === 'notKept') return undefined
  return { action: 'delete', path: pathIn(call, API.resources) }
}

/** Notes a written file for its audit record. The body of a form has more bytes than the file. */
function auditWritten(call: Call, action: 'upload' | 'save', { sizeBytes }: Node): void {
  call.set('auditNote', { action, path: pathIn(call, API.resources), bytes: sizeBytes })
}

const RECURSIVE = `${API.resources}/recursive`

/**
 * The folder of a recursive listing, or undefined if the request is not for one. A request with the header
 * `X-Encoding` means a real folder that is called `recursive` (docs/api.md 1.6).
 */
function recursivePath(call: Call): TreePath | undefined {
  const { path } = call.var
  const hasPrefix = path === RECURSIVE || path.startsWith(`${RECURSIVE}/`)
  if (!hasPrefix || call.req.header('x-encoding') !== undefined) return undefined
  return pathAfter(call, RECURSIVE).path
}

/**
 * Sends the raw bytes of a text file, for clients that decode them themselves (docs/api.md 1.4), and any other
 * file as JSON.
 */
async function sendText(call: Call, node: Node): Promise<Response> {
  const { scope } = call.var
  const type = await typeByContent(scope, node)
  if (type !== 'text' && type !== 'textImmutable')
    return sendJsonQueued(call, () => readFileEntry(scope, node))
  return sendFile(call, await scope.read(node.path), {
    headers: { 'Content-Type': 'application/octet-stream', ETag: etagOf(node) },
  })
}

/** @throws Fault badRequest for an unknown algorithm, forbidden without the download permission */
async function withChecksum(call: Call, node: Node, name: string): Promise<FileEntry> {
  const { scope } = call.var
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name)
  if (!algorithm) {
    throw new Fault(
      'badRequest',
      `The parameter checksum must be one of ${CHECKSUM_ALGORITHMS.join(', ')}.`,
    )
  }
  using _ = call.var.limits.checksums.acquire(limitKey(call))
  const digest = await checksum(scope, node.path, algorithm, call.req.raw.signal)
  return { ...entryOf(node, await typeByContent(scope, node)), checksums: { [algorithm]: digest } }
}

function requestPath(call: Call) {
  return pathAfter(call, API.resources)
}

/** The client's modification time, which a plain upload sends in a header. */
function modifiedMs(call: Call): number | undefined {
  return sentTime(call.req.header('x-modified'))
}
