/** The request of an administrator to undo many changes. */

/** The user whose changes are undone, and the start time. With an empty `session`, those of all sessions. */
export interface UndoRequest {
  username: string
  session: string
  since: Date
}

/** A session that contains changes. */
export interface UndoableSession {
  session: string
  username: string
  address: string
  /** The time of its last change. */
  time: string
}
