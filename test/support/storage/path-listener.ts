import type { PathListener } from '#server/access/file-events.ts'

/** A path listener for tests without shares. */
export const NO_SHARES: PathListener = { moved: () => undefined, removed: () => undefined }
