/** The interface of both ways to send a file. */
import { JOURNAL_HEADER } from '#wire/journal.ts'
import type { TreePath } from '#wire/paths.ts'
import type { TusSettings } from '#wire/settings.ts'

export interface Upload {
  file: File
  /** Where it goes. */
  path: TreePath
  /** Its place below what was picked. */
  relativePath: string
  /** Replace what is there. */
  override: boolean
}

/** What an attempt is told, and whom it tells. */
export interface Attempt {
  signal: AbortSignal
  settings: TusSettings
  /** The server already has this many bytes. */
  onStart(acceptedBytes: number): void
  onSent(bytes: number): void
  /** The server confirms to have this many bytes. */
  onAccepted(bytes: number): void
  /** The server wrote the file into its journal. */
  onEntry(entry: number): void
}

export interface Transport {
  /**
   * Sends the whole file, or what is missing of it, once.
   *
   * @throws Fault with the server's code; `unavailable` when no answer came; `aborted` by the signal
   */
  send(upload: Upload, attempt: Attempt): Promise<void>
  /** Lets the server forget an unfinished upload; it is no failure when there is none. */
  discard(upload: Upload): Promise<void>
}

/** Tells of the journal's entry that an answer names, if it names one. */
export function tellEntry(
  attempt: Pick<Attempt, 'onEntry'>,
  header: (name: string) => string | null | undefined,
): void {
  const entry = Number(header(JOURNAL_HEADER) ?? 0)
  if (entry > 0) attempt.onEntry(entry)
}
