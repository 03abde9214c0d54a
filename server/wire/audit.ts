/** What people did: one line for each act, as it travels. */
export const AUDIT_ACTIONS = [
  'signIn',
  'signOut',
  'signUp',
  'endSession',
  'download',
  'upload',
  'save',
  'newFolder',
  'copy',
  'extract',
  'archive',
  'rename',
  'delete',
  'restore',
  'purge',
  'undo',
  'share',
  'unshare',
  'publicLook',
  'publicDownload',
  'command',
  'addUser',
  'changeUser',
  'removeUser',
  'changeSettings',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

export interface AuditEntry {
  /** Counts up; a later act has a higher number. */
  id: number
  /** RFC 3339. */
  time: string
  /** Who: the name signed in with, also when it was refused; empty for strangers. */
  username: string
  /** The session's name; empty without one. */
  session: string
  address: string
  action: AuditAction
  /** In the served tree for administrators, in the own folder for others. */
  path: string
  /** Where a copied or renamed thing went. */
  to: string
  /** Whose account it was about, where it was about one. */
  whom: string
  /** Sent or taken; 0 where nobody counted. */
  bytes: number
  /** The HTTP status it was answered with. */
  status: number
  /** The public link it came through. */
  share: string
  /** How many acts the line stands for: those of strangers are counted for a while. */
  times: number
  /** The change in the journal, which can be undone; 0 for none. */
  entry: number
  /** The entry that undid it; 0 for none. */
  undoneBy: number
}
