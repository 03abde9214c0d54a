/** The interface of both upload methods. */
import { JOURNAL_HEADER } from '#wire/journal.ts'
import type { TreePath } from '#wire/paths.ts'
import type { TusSettings } from '#wire/settings.ts'

export interface Upload {
  file: File
  /** The path of the file on the server after the upload. */
  path: TreePath
  /** The path below the chosen or dropped folder. */
  relativePath: string
  /** Whether an existing file is replaced. */
  override: boolean
}

/** The inputs and callbacks of one attempt to send a file. */
export interface Attempt {
  signal: AbortSignal
  settings: TusSettings
  /** Called with the number of bytes that the server already has. */
  onStart(acceptedBytes: number): void
  /** Called with the number of bytes that the browser has sent, including those the server already had. */
  onSent(bytes: number): void
  /** Called with the number of bytes that the server confirms. */
  onAccepted(bytes: number): void
  /** Called with the journal entry of the upload. */
  onJournalEntry(entry: number): void
}

export interface Transport {
  /**
   * Sends the whole file, or the missing part of it, once.
   *
   * @throws Fault with the server's code, unavailable (no response), aborted (by the signal)
   */
  send(upload: Upload, attempt: Attempt): Promise<void>
  /** Deletes an unfinished upload on the server; it is no error if there is none. */
  discard(upload: Upload): Promise<void>
}

/** Reports the journal entry of a response, if it has one. */
export function reportEntry(
  attempt: Pick<Attempt, 'onJournalEntry'>,
  header: (name: string) => string | null | undefined,
): void {
  const entry = Number(header(JOURNAL_HEADER) ?? 0)
  if (entry > 0) attempt.onJournalEntry(entry)
}
