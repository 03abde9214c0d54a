/** What the server knows of its index of names. */
export interface IndexReport {
  /** `off` by an option, `tooLarge` for the memory it may take; `waiting` for somebody to ask. */
  state: (typeof INDEX_STATES)[number]
  names: number
  folders: number
  memoryBytes: number
  /** Since all folders were compared with the disk, in seconds; null for never. */
  ageSec: number | null
}

export const INDEX_STATES = ['off', 'waiting', 'building', 'ready', 'tooLarge', 'failed'] as const

/** What a running server says of itself to administrators. */
export interface ServerStatus {
  version: string
  /** ISO 8601. */
  startedAt: string
  memoryBytes: number
  /** Answered since the start. */
  requests: number
  /** The served folder cannot be written. */
  readOnly: boolean
  users: number
  sessions: number
  shares: number
  index: IndexReport
  /** What runs and what waits, of work with a limit. */
  work: { what: string; atWork: number; waiting: number }[]
}
