/** Failures as sentences. */
import { Fault, isFault } from '#wire/fault.ts'
import { t } from './i18n.ts'

/** Faults whose server text says more than the code: which name, which limit. */
const SPEAKING = ['badRequest', 'unprocessable', 'tooLarge', 'tooMany'] as const

/** What went wrong and what to do now, in the person's language. */
export function faultText(error: unknown): string {
  if (!(error instanceof Fault)) return t('fault.internal')
  if (isFault(error, ...SPEAKING) && /\s/.test(error.message)) return error.message
  return t(`fault.${error.code}`)
}
