/** Icons of the actions in the audit record. */
import type { AuditAction } from '#wire/audit.ts'
import type { IconName } from './icons.ts'

export const AUDIT_ACTION_ICONS: Record<AuditAction, IconName> = {
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
  invite: 'link',
  uninvite: 'unlink',
  acceptInvitation: 'log-in',
  changeSettings: 'settings',
}
