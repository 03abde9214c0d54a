/** The version of this executable, and a self-check of its parts. */
import { probeCodecs } from '#server/archives/codecs/archive-formats.ts'
import { probeSharp } from '#server/files/previews/thumbnails.ts'
import { COMMIT, VERSION } from './version.ts'
import { uiDigest } from './web/assets.ts'

export interface BuildInfo {
  version: string
  commit: string
  bun: string
  /** Digest of the embedded interface; `none` if it is not built. */
  ui: string
}

export function buildInfo(): BuildInfo {
  return { version: VERSION, commit: COMMIT, bun: Bun.version, ui: uiDigest }
}

/**
 * Uses every native part once.
 *
 * @throws the error of a part that does not work
 */
export async function selfCheck(): Promise<BuildInfo & { sharp: string; archives: string[] }> {
  return { ...buildInfo(), sharp: await probeSharp(), archives: await probeCodecs() }
}
