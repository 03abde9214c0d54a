/** Audit records in the API. */

/**
 * What a record is about. `publicLook`: a visitor opens a share, an entry in it, or a folder of an archive in it, and
 * downloads nothing.
 */
export const AUDIT_ACTIONS = [
  'signIn',
  'signOut',
  'signUp',
  'endSession',
  'addAppPassword',
  'changeAppPassword',
  'removeAppPassword',
  'addSecondFactor',
  'newRecoveryCodes',
  'addPasskey',
  'changePasskey',
  'removePasskey',
  'removeSecondFactor',
  'download',
  'open',
  'upload',
  'endUpload',
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
  'redo',
  'share',
  'unshare',
  'publicLook',
  'publicDownload',
  'command',
  'addUser',
  'changeUser',
  'removeUser',
  'invite',
  'uninvite',
  'acceptInvitation',
  'changeSettings',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** The values of a filter: `succeeded` selects responses with a status below 400, `failed` the others. */
export const AUDIT_RESULTS = ['succeeded', 'failed'] as const

export type AuditResult = (typeof AUDIT_RESULTS)[number]

/**
 * Why a change can no longer be undone. `notInTrash`: content that it needs was deleted permanently, or restored. `forgotten`: the
 * journal does not have the change any more.
 */
export const UNDO_OBSTACLES = ['notInTrash', 'forgotten'] as const

export type UndoObstacle = (typeof UNDO_OBSTACLES)[number]

export interface AuditEntry {
  /** Increasing; a later record has a higher id. */
  id: number
  /** RFC 3339. */
  time: string
  /** The user name, also of a refused sign-in; empty for visitors. */
  username: string
  /** The session id; empty without a session. */
  session: string
  address: string
  action: AuditAction
  /** In the served tree for administrators, in the scope for others. */
  path: string
  /** The destination of a copy or rename. */
  to: string
  /** The name of the account that was changed; empty if there is none. */
  whom: string
  /** Bytes sent or received; 0 if they were not counted. */
  bytes: number
  /** The HTTP status of the response. */
  status: number
  /** The hash of the share. */
  share: string
  /**
   * For administrators: what the share leads to, in the served tree. `path` of a visitor's record begins there. Empty if
   * the share was deleted or has expired.
   */
  sharePath: string
  /** The name of the app password that the request was made with; empty for none, and after its removal. */
  app: string
  /** How many requests the record stands for, as those of visitors are counted for a while; or files of one request. */
  times: number
  /** The journal entry, which can be undone; 0 if there is none. */
  entry: number
  /** The entry that undid it; 0 if there is none. */
  undoneBy: number
  /** Why it was refused or failed, as in `X-Fault`; empty after success, and if the reason was not recorded. */
  fault: string
}

/** A record of a page. A file of all records does not have what is looked up for it. */
export interface ListedAuditEntry extends AuditEntry {
  /** Empty if it can be undone, was undone, or never could be. */
  undoObstacle: UndoObstacle | ''
  /** Whether the reader sees an entry at `path` now; of a visitor's record below `sharePath`. */
  pathExists: boolean
  /** The same for `to`. */
  toExists: boolean
}
