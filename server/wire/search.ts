/** What a search finds (docs/api.md 1.15). */
export interface SearchHit {
  dir: boolean
  /** From the searched folder, without a slash at the beginning. */
  path: string
}

/** Seconds since the index that answers was compared with the disk; absent from the answer of a walk. */
export const INDEX_AGE_HEADER = 'X-Index-Age'
