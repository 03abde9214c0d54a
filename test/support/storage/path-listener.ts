import type { PathListener } from '#server/access/file-events.ts'

/** A path listener for tests without shares. */
export const NO_SHARES: PathListener = {
  moved: async () => undefined,
  removed: async () => undefined,
}
