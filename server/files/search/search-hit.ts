/** Results of a search (docs/api.md 1.15). */
export interface SearchHit {
  dir: boolean
  /** Relative to the searched folder, without a leading slash. */
  path: string
}

/** Response header: seconds since the index was compared with the disk; absent without an index. */
export const INDEX_AGE_HEADER = 'X-Index-Age'
