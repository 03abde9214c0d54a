import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { TusSettings } from '#wire/api/settings.ts'

/** Whether the upload can be resumed after a reload of the page: with tus, and if the file is large enough. */
export function isResumable(file: File, settings: TusSettings | undefined): boolean {
  return settings !== undefined && file.size >= UI_LIMITS.resumableMinBytes
}
