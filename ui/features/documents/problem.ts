/** Why a document is not shown. */

export type DocumentProblemKind = 'broken' | 'encrypted' | 'tooLarge'

export class DocumentProblem extends Error {
  readonly kind: DocumentProblemKind

  constructor(kind: DocumentProblemKind, options?: ErrorOptions) {
    super(`The document is not shown: ${kind}.`, options)
    this.kind = kind
  }
}

/** Any other failure to read a document means that it is damaged. */
export function problemKindOf(error: unknown): DocumentProblemKind {
  return error instanceof DocumentProblem ? error.kind : 'broken'
}
