/** Chooses how a file is sent: in one request, or resumable with tus. */
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { TusSettings } from '#wire/api/settings.ts'
import { plain } from './plain.ts'
import type { Transport } from './transport.ts'
import { tus } from './tus.ts'

/** @returns tus if it is possible and useful, else a plain request (docs/specification.md 5) */
export function transportFor(file: File, settings: TusSettings | undefined): Transport {
  return isResumable(file, settings) ? tus : plain
}

/** Whether the upload can be resumed after a reload of the page: with tus, and if the file is large enough. */
export function isResumable(file: File, settings: TusSettings | undefined): boolean {
  return settings !== undefined && file.size >= UI_LIMITS.resumableMinBytes
}
