/** Which way a file is sent: in one request, or resumable by tus. */
import type { TusSettings } from '#wire/settings.ts'
import { plain } from './plain.ts'
import type { Transport } from './transport.ts'
import { tus } from './tus.ts'

/** Smaller files are sent in one request: resuming them saves nothing. */
export const RESUMABLE_MIN_BYTES = 1024 * 1024

/** Resumable where it pays and is possible (docs/specification.md 5). */
export function transportFor(file: File, settings: TusSettings | undefined): Transport {
  return isResumable(file, settings) ? tus : plain
}

/** Whether a later page can go on with it. */
export function isResumable(file: File, settings: TusSettings | undefined): boolean {
  return settings !== undefined && file.size >= RESUMABLE_MIN_BYTES
}
