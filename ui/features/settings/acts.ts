/** The kinds of acts as pictures, and their results as words. */
import { t } from '#ui/i18n/i18n.ts'
import type { IconName } from '#ui/lib/icons.ts'
import type { AuditAction, AuditEntry } from '#wire/audit.ts'

export const ACT_ICONS: Record<AuditAction, IconName> = {
  signIn: 'log-in',
  signOut: 'log-out',
  signUp: 'user-round',
  endSession: 'monitor',
  download: 'download',
  upload: 'upload',
  save: 'save',
  newFolder: 'folder-plus',
  copy: 'copy',
  extract: 'archive',
  archive: 'archive',
  rename: 'pencil',
  delete: 'trash-2',
  restore: 'undo-2',
  purge: 'trash-2',
  undo: 'undo-2',
  share: 'share-2',
  unshare: 'unlink',
  publicLook: 'eye',
  publicDownload: 'arrow-down-to-line',
  command: 'square-terminal',
  addUser: 'users-round',
  changeUser: 'users-round',
  removeUser: 'users-round',
  changeSettings: 'settings',
}

/** Acts whose size is that of a file. */
export const SIZED: readonly AuditAction[] = ['download', 'upload', 'save', 'publicDownload']

/** Refusals that have words of their own. */
const REFUSALS = [400, 401, 403, 404, 409, 410, 412, 413, 423, 429, 503, 507] as const

/** Why an act came to nothing; undefined when it was done. */
export function refusalText({ action, status }: AuditEntry): string | undefined {
  if (status < 400) return undefined
  const isAuth = action === 'signIn' && (status === 401 || status === 403)
  if (isAuth) return t('activity.refusals.wrongCredentials')
  const known = REFUSALS.find((code) => code === status)
  if (known !== undefined) return t(`activity.refusals.${known}`)
  return t(status < 500 ? 'activity.refusals.other' : 'activity.refusals.failed', { status })
}
