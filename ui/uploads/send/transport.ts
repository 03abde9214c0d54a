/** The interface of both upload methods. */
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import type { TusSettings } from '#wire/api/settings.ts'
import type { TreePath } from '#wire/paths.ts'
import type { BegunUpload } from './begun-upload.ts'

export interface Upload {
  file: File
  /** The path of the file on the server after the upload. */
  path: TreePath
  /** The path below the chosen or dropped folder. */
  relativePath: string
  /** Whether an existing file is replaced. */
  override: boolean
  /** The upload that this browser has begun on the server, in an earlier attempt or page; undefined if there is none. */
  begun?: BegunUpload | undefined
}

/** The inputs and callbacks of one attempt to send a file. */
export interface Attempt {
  signal: AbortSignal
  settings: TusSettings
  /** Whether the task has sent nothing yet: then an upload that is finished belongs to an earlier task. */
  isFirst: boolean
  /** Called before an upload begins on the server, and when its URL is known; undefined: it does not continue. */
  onBegun(begun: BegunUpload | undefined): void
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
   * @throws NotAsSentError (the server does not have the file as it was sent); UnreadableFileError; ChangedFileError (nothing
   *   is published); Fault with the server's code, unavailable (no response), aborted (by the signal)
   */
  send(upload: Upload, attempt: Attempt): Promise<void>
  /** Deletes the unfinished upload that this browser has begun on the server; it is no error if there is none. */
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
