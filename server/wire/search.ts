/** What a search finds (contract 1.15). */
export interface SearchHit {
  dir: boolean
  /** From the searched folder, without a slash at the beginning. */
  path: string
}
