/** What this executable carries, and whether it works where it is now. */
import { probeCodecs } from './files/archive-formats.ts'
import { probeSharp } from './files/thumbnails.ts'
import { COMMIT, VERSION } from './version.ts'
import { uiDigest } from './web/assets.ts'

export interface Contents {
  version: string
  commit: string
  bun: string
  /** Digest of the embedded interface; `none` when it is not built. */
  ui: string
}

export function contents(): Contents {
  return { version: VERSION, commit: COMMIT, bun: Bun.version, ui: uiDigest }
}

/** Uses every native part once. @throws whatever a part that does not work throws */
export async function selfCheck(): Promise<Contents & { sharp: string; archives: string[] }> {
  return { ...contents(), sharp: await probeSharp(), archives: await probeCodecs() }
}
