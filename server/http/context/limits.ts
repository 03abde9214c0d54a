/** The concurrency limits of the HTTP layer, one set for each server. */
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { Limiter } from '#server/limits/limiter.ts'

export type HttpLimits = ReturnType<typeof createLimits>

export function createLimits() {
  const limit = (name: keyof typeof CONCURRENCY_LIMITS) => new Limiter(CONCURRENCY_LIMITS[name])
  return {
    requests: limit('requests'),
    forms: limit('forms'),
    /** Searches and recursive lists, which read whole trees. */
    searches: limit('searches'),
    archives: limit('archives'),
    /** Separate from those of signed-in users, so that share visitors do not block them. */
    publicArchives: limit('publicArchives'),
    archiveReads: limit('archiveReads'),
    /** Separate from `archiveReads`, so that share visitors do not block users. */
    publicArchiveReads: limit('publicArchiveReads'),
    previews: limit('previews'),
    media: limit('media'),
    sending: limit('sending'),
    batches: limit('batches'),
    checksums: limit('checksums'),
    plans: limit('plans'),
    largeResponses: createLargeResponseLimits(),
    /** Separate, so that visitors of a large public folder do not block signed-in users. */
    publicLargeResponses: createLargeResponseLimits(),
  }
}

function createLargeResponseLimits() {
  return {
    builds: new Limiter(CONCURRENCY_LIMITS.listings),
    responses: new Limiter(CONCURRENCY_LIMITS.largeResponses),
  }
}
