/** Texts of which a searched name contains one. A thread compares them with names while it reads a folder. */
export interface NameTerms {
  /** Lower case unless `isCaseSensitive`. */
  terms: readonly string[]
  isCaseSensitive: boolean
}

/** Whether a name contains any of the terms. */
export function containsTerm(name: string, { terms, isCaseSensitive }: NameTerms): boolean {
  const compared = isCaseSensitive ? name : name.toLowerCase()
  return terms.some((term) => compared.includes(term))
}
