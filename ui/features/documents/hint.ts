import { faultText } from '#ui/i18n/faults.ts'
import type { t as translate } from '#ui/i18n/i18n.ts'
import { Fault } from '#wire/fault.ts'
import { problemKindOf } from '#wire/formats/document-problem.ts'

/** @returns the sentence that says why a document is not shown */
export function hintOf(error: unknown, t: typeof translate): string {
  return error instanceof Fault ? faultText(error) : t(`documents.${problemKindOf(error)}`)
}
