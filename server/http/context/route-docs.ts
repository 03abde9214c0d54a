/** The documentation of a route; only `openapi.ts` reads it. */
import type { z } from 'zod'

export interface RouteDocs {
  /** One sentence without a full stop. */
  summary: string
  /** Parameter → description. */
  query?: Record<string, string>
  headers?: Record<string, string>
  /** The schema of the body, or its media type if it is binary. */
  body?: z.ZodType | string
  /**
   * Status → description, besides those that follow from the route: 401 and 403 from `needs`, 400 and 409 from a path,
   * 400 and 413 from a body, 503 from a path or a sign-in, 507 from a method other than GET. A description here replaces the derived one.
   */
  responses: Partial<Record<Status, string | ResponseDocs>>
  /** The documented method, if it differs from the route's. */
  method?: 'HEAD'
}

export interface ResponseDocs {
  description: string
  /** The shape of a JSON body. */
  shape?: z.ZodType
  /** The media type of another body; text/plain by default. */
  type?: string
}

export type Status =
  | 101
  | 200
  | 201
  | 204
  | 206
  | 302
  | 304
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 412
  | 413
  | 415
  | 416
  | 422
  | 423
  | 460
  | 429
  | 500
  | 503
  | 507

/** Parts of the documentation that several routes share. */
export const OK_TEXT = '`200 OK` as text'
export const NOT_FOUND = 'there is no file or folder at this path'
export const HOLDS_MOUNT =
  'another file system is mounted inside, or the system or another program uses the file'
export const IN_USE = 'another program holds a lock or a lease on the file'
export const CHANGED_SINCE =
  'the content was changed; `If-Match` or `If-Unmodified-Since` does not hold'
export const FILE_RESPONSES: Record<
  200 | 206 | 304 | 404 | 412 | 416 | 423,
  string | ResponseDocs
> = {
  200: { description: 'the bytes', type: 'application/octet-stream' },
  206: {
    description: 'the requested range; several ranges are sent as `multipart/byteranges`',
    type: 'application/octet-stream',
  },
  304: 'the content has not changed',
  404: NOT_FOUND,
  412: CHANGED_SINCE,
  416: 'the range is outside the file',
  423: IN_USE,
}
export const WRITE_RESPONSES: Record<403 | 404 | 409 | 413 | 423 | 500 | 507, string> = {
  403: 'the right is missing, a rule denies it, or the folder is read-only',
  404: NOT_FOUND,
  409: 'the name is taken, or a parent of the path is not a folder',
  413: 'larger than this server accepts',
  423: IN_USE,
  500: 'an event’s command failed',
  507: 'the disk is full',
}
/** For a body that may be a form. */
export const FORM_RESPONSES = {
  408: 'the body, or the form in it, ended early',
  415: 'a form (multipart/form-data) without exactly one file, which is the content then; or a form for a folder',
}
export const BYTES_BODY = 'application/octet-stream'
/** For responses that may be large. */
export const QUEUE_RESPONSES: RouteDocs['responses'] = {
  429: 'this user has too many large responses in progress',
  503: 'too many large responses are in progress',
}
export const OK_TEXT_WITH_ETAG = '`200 OK` as text; `ETag` names the new content'
export const DOWNLOAD_QUERY = {
  inline: '`true` lets the browser show the file instead of saving it, if that is safe',
  files: 'of a folder: the names to download, separated by commas, each percent-encoded twice',
  algo: 'of an archive: `zip`, `tar`, `targz`, `tarbz2`, `tarxz`, `tarlz4`, `tarsz`, `tarbr`, `tarzst`',
}
export const DOWNLOAD_RESPONSES: RouteDocs['responses'] = {
  302: 'redirects the browser to the content origin, if one is configured',
  ...FILE_RESPONSES,
  400: 'no such archive format',
  403: 'a rule denies it',
  415: 'the path is neither a file nor a folder',
  429: 'this user has too many archives in progress',
  503: 'too many archives are being created',
}
