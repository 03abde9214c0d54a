/** What one server takes on at a time, made with it: each answer knows it by its call. */
import { ConcurrencyLimit } from '#server/access/concurrency-limit.ts'
import { CONCURRENCY_LIMITS } from '#server/access/concurrency-limits.ts'
import { FairSemaphore } from '#server/access/fair-semaphore.ts'

export type HttpLimits = ReturnType<typeof createLimits>

export function createLimits() {
  const limit = (name: keyof typeof CONCURRENCY_LIMITS) =>
    new ConcurrencyLimit(CONCURRENCY_LIMITS[name])
  return {
    requests: limit('requests'),
    forms: limit('forms'),
    /** Walks through whole trees. */
    searches: limit('searches'),
    archives: limit('archives'),
    /** Visitors of public links leave people who signed in theirs. */
    publicArchives: limit('publicArchives'),
    previews: limit('previews'),
    sending: limit('sending'),
    batches: limit('batches'),
    checksums: limit('checksums'),
    plans: limit('plans'),
    largeAnswers: createAnswerLimits(),
    /** Strangers with a link to a large folder keep nobody waiting who is signed in. */
    publicLargeAnswers: createAnswerLimits(),
  }
}

function createAnswerLimits() {
  return {
    semaphore: new FairSemaphore(CONCURRENCY_LIMITS.listings),
    answers: new ConcurrencyLimit(CONCURRENCY_LIMITS.answers),
  }
}
