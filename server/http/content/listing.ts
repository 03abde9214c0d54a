/** Sends the listing of a folder. */
import { z } from 'zod'
import { type ListingOptions, unsortedListing } from '#server/files/listing/listing.ts'
import { FOLDER_SIZES_HEADER, SORT_KEYS, type Sorting } from '#wire/api/entry.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Call } from '../context/context.ts'
import { acceptsLines, sendLinesQueued } from '../response/json-lines.ts'
import { sendTaggedJsonQueued } from '../response/large-json.ts'

/** @throws Fault notFound, notDirectory, forbidden, tooMany, unavailable */
export function sendListing(call: Call, path: TreePath): Promise<Response> {
  const { app, scope } = call.var
  const begin = (onFirst?: ListingOptions['onFirst']) =>
    unsortedListing(scope, path, sortingOf(call), {
      inside: app.config.flag('typeDetectionByHeader'),
      subtitles: true,
      sizes: call.req.header(FOLDER_SIZES_HEADER) === 'true',
      onFirst,
    })
  return acceptsLines(call)
    ? sendLinesQueued(call, begin)
    : sendTaggedJsonQueued(call, () => begin())
}

const sortingQuery = z.object({ by: z.enum(SORT_KEYS), asc: z.enum(['true', 'false']) })

/** The user's sort order, unless the request has another. */
function sortingOf(call: Call): Sorting {
  const parsed = sortingQuery.safeParse({ by: call.req.query('by'), asc: call.req.query('asc') })
  if (parsed.success) return { by: parsed.data.by, asc: parsed.data.asc === 'true' }
  return call.var.auth.user.sorting
}
