/** Why a document is not shown. */

export type DocumentProblemKind = 'broken' | 'encrypted' | 'tooLarge'

export class DocumentProblem extends Error {
  readonly kind: DocumentProblemKind

  constructor(kind: DocumentProblemKind, options?: ErrorOptions) {
    super(`The document is not shown: ${kind}.`, options)
    this.kind = kind
  }
}

/** @returns the reason why a document is not shown: `broken` for every error that names no other reason */
export function problemKindOf(error: unknown): DocumentProblemKind {
  return error instanceof DocumentProblem ? error.kind : 'broken'
}
