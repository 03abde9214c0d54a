/** The state of the name index. */
export interface IndexReport {
  /** `off`: switched off by an option; `tooLarge`: above its memory limit; `waiting`: for the first search. */
  state: (typeof INDEX_STATES)[number]
  names: number
  folders: number
  memoryBytes: number
  /** Seconds since all folders were compared with the disk; null if never. */
  ageSec: number | null
}

export const INDEX_STATES = ['off', 'waiting', 'building', 'ready', 'tooLarge', 'failed'] as const

/** The state of a running server, for administrators. */
export interface ServerStatus {
  version: string
  /** ISO 8601. */
  startedAt: string
  memoryBytes: number
  /** Requests since the start. */
  requests: number
  /** The served folder is read-only. */
  readOnly: boolean
  users: number
  sessions: number
  shares: number
  /** Unfinished uploads, and their bytes on the disk, unless it does not respond. */
  unfinishedUploads: { count: number; bytes?: number | undefined }
  index: IndexReport
  /** Running and waiting tasks by concurrency limit. */
  work: { what: string; atWork: number; waiting: number }[]
}
