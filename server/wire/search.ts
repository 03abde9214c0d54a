/** What a search finds (docs/api.md 1.15). */
export interface SearchHit {
  dir: boolean
  /** From the searched folder, without a slash at the beginning. */
  path: string
}
