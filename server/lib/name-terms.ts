import { canonicalText, foldText } from '#wire/fold.ts'

/** Texts of which a searched name contains one. A thread compares them with names while it reads a folder. */
export interface NameTerms {
  /** Folded (wire/fold.ts); in the canonical form if `isCaseSensitive`. */
  terms: readonly string[]
  isCaseSensitive: boolean
}

/** Whether a name contains any of the terms. */
export function containsTerm(name: string, { terms, isCaseSensitive }: NameTerms): boolean {
  const compared = isCaseSensitive ? canonicalText(name) : foldText(name)
  return terms.some((term) => compared.includes(term))
}
