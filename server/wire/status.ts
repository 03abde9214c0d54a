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
  /** What runs and what waits, of work with a limit. */
  work: { what: string; atWork: number; waiting: number }[]
}
