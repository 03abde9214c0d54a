/** Sends the listing of a folder. */
import { z } from 'zod'
import { may } from '#server/access/policy.ts'
import type { ScopeFolder } from '#server/access/scope/scope-folder.ts'
import { type ListingOptions, unsortedListing } from '#server/files/listing/listing.ts'
import { FOLDER_SIZES_HEADER, SORT_KEYS, type Sorting } from '#wire/api/entry.ts'
import type { Call } from '../context/context.ts'
import { acceptsLines, sendLinesQueued } from '../response/json-lines.ts'
import { sendTaggedJsonQueued } from '../response/large-json.ts'

/**
 * @param folder closed here, also after a fault
 * @throws Fault forbidden, tooMany, unavailable
 */
export async function sendListing(call: Call, folder: ScopeFolder): Promise<Response> {
  const { app, scope } = call.var
  using waiting = new DisposableStack()
  waiting.use(folder)
  const begin = async (onFirst?: ListingOptions['onFirst']) => {
    // The response may begin while the folder is still read.
    using _ = waiting.move()
    return await unsortedListing(scope, folder, sortingOf(call), {
      inside: app.config.flag('typeDetectionByHeader'),
      subtitles: true,
      sizes: call.req.header(FOLDER_SIZES_HEADER) === 'true',
      linksOutside: may(scope.actor, 'administer'),
      onFirst,
    })
  }
  return acceptsLines(call)
    ? await sendLinesQueued(call, begin)
    : await sendTaggedJsonQueued(call, () => begin())
}

const sortingQuery = z.object({ by: z.enum(SORT_KEYS), asc: z.enum(['true', 'false']) })

/** The user's sort order, unless the request has another. */
function sortingOf(call: Call): Sorting {
  const parsed = sortingQuery.safeParse({ by: call.req.query('by'), asc: call.req.query('asc') })
  if (parsed.success) return { by: parsed.data.by, asc: parsed.data.asc === 'true' }
  return call.var.auth.user.sorting
}
