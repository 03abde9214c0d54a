/** Where an open folder lies on the disk, for comparing: looked at again after a moment. */
import type { Handle } from './handle.ts'

/** As fresh as what is known of the server's own files (server-files.ts), which it is compared with. */
const FRESH_MS = 1000

export function rootPathOf(root: Handle): () => string {
  let path = ''
  let untilMs = 0
  return () => {
    const now = Date.now()
    if (now >= untilMs) {
      path = root.realPath()
      untilMs = now + FRESH_MS
    }
    return path
  }
}
