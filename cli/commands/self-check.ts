/** filemgr self-check: whether everything the executable carries works where it is now. */
import type { Command } from 'commander'
import { probeSharp } from '#server/files/thumbnails.ts'
import { COMMIT, VERSION } from '#server/version.ts'
import { uiDigest } from '#server/web/assets.ts'
import type { Io } from '../io.ts'

export function selfCheckCommand(program: Command, io: Io): void {
  program
    .command('self-check', { hidden: true })
    .description('print as JSON what the executable carries, after using it')
    .action(async () => {
      const parts = { version: VERSION, commit: COMMIT, ui: uiDigest, sharp: await probeSharp() }
      io.out(JSON.stringify(parts, null, 2))
    })
}
