/** The results of audited actions as texts. */

import { type ActivityChoice, FAILED_SIGN_IN } from '#ui/lib/accounts/activity-filter.ts'
import type { AuditAction, AuditEntry } from '#wire/api/audit.ts'
import { readFaultHeader } from '#wire/fault.ts'
import { joinPath, parsePath, ROOT } from '#wire/paths.ts'
import { reasonText } from './faults.ts'
import { t } from './i18n.ts'

/** Actions that send or receive the content of a file: their number of bytes is shown as its size. */
export const SIZED: readonly AuditAction[] = [
  'download',
  'open',
  'upload',
  'save',
  'publicDownload',
]

/** What happened: the action, or that a sign-in failed. */
export function actText(record: AuditEntry): string {
  const { action, status, fault } = record
  if (action === 'signIn' && isFirstStep(fault)) return t('settings.secondFactor.needed')
  if (isPasswordForm(record)) return t('activity.passwordForm')
  return choiceText(action === 'signIn' && status >= 400 ? FAILED_SIGN_IN : action)
}

/** The name of a choice of the filter, which is that of the records it finds. */
export function choiceText(choice: ActivityChoice): string {
  return choice === FAILED_SIGN_IN ? t('activity.signInFailed') : t(`activity.acts.${choice}`)
}

/** Whether visitors of a share do this. */
export function isByLink(action: AuditAction): boolean {
  return action === 'publicLook' || action === 'publicDownload'
}

/** The path of a record from the root: that of a visitor begins at the shared entry. Empty if that is not known. */
export function pathOf({ action, path, sharePath }: AuditEntry): string {
  if (!isByLink(action)) return path
  if (sharePath !== '') return joinPath(parsePath(sharePath), path || ROOT)
  return path === ROOT ? '' : path
}

/** Status codes that have a specific text. */
const REFUSALS = [400, 401, 403, 404, 408, 409, 410, 412, 413, 423, 429, 503, 507] as const

/** Why an action failed; undefined after success. */
export function refusalText(record: AuditEntry): string | undefined {
  const { action, status, fault } = record
  if (status < 400 || isFirstStep(fault) || isPasswordForm(record)) return undefined
  const { code, options } = readFaultHeader(fault) ?? {}
  if (options?.reason === 'sharePasswordWrong') return t('activity.refusals.passwordWrong')
  if (options?.reason) return reasonText(options.reason, options.params)
  if (code === 'wrongCredentials') return t('activity.refusals.wrongCredentials')
  return status === 401 && isByLink(action) ? t('activity.refusals.noPassword') : statusText(status)
}

/**
 * Whether the client repeats a refused request by itself: one that was cut, or an upload that met another request for the
 * same file. Nothing is lost, and the record of the complete upload follows.
 */
export function isPassing({ action, status }: Pick<AuditEntry, 'action' | 'status'>): boolean {
  return status === 408 || (status === 423 && action === 'upload')
}

/** The first step of a login was right, and a code of the second factor was asked for. */
function isFirstStep(fault: string): boolean {
  return readFaultHeader(fault)?.options.reason === 'codeNeeded'
}

/** A visitor opened a link that has a password, and has not sent one yet. */
function isPasswordForm({ action, status, fault }: AuditEntry): boolean {
  return action === 'publicLook' && status === 401 && !readFaultHeader(fault)?.options.reason
}

function statusText(status: number): string {
  const refusal = REFUSALS.find((code) => code === status)
  if (refusal !== undefined) return t(`activity.refusals.${refusal}`)
  return t(status < 500 ? 'activity.refusals.other' : 'activity.refusals.failed', { status })
}
