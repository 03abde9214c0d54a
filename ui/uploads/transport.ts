/** The two ways a file goes to the server: one interface, two rows. */
import type { TreePath } from '#wire/paths.ts'
import type { TusSettings } from '#wire/settings.ts'
import { plain } from './plain.ts'
import { tus } from './tus.ts'

/** Smaller files are one request: nothing of them is worth resuming. */
export const RESUMABLE_MIN_BYTES = 1024 * 1024

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

/** Resumable where it pays and is possible (specification section 5). */
export function transportFor(file: File, settings: TusSettings | undefined): Transport {
  return isResumable(file, settings) ? tus : plain
}

/** Whether a later page can go on with it. */
export function isResumable(file: File, settings: TusSettings | undefined): boolean {
  return settings !== undefined && file.size >= RESUMABLE_MIN_BYTES
}
