/** The real path of an open folder, cached for a moment and used for comparison only. */
import type { Handle } from './handle.ts'

/** The path may be as old as the data that it is compared with (`FRESH_MS` in server-files.ts). */
const FRESH_MS = 1000

export function rootPathOf(root: Handle): () => string {
  let path = ''
  let untilMs = 0
  return () => {
    const nowMs = Date.now()
    if (nowMs >= untilMs) {
      path = root.realPath()
      untilMs = nowMs + FRESH_MS
    }
    return path
  }
}
