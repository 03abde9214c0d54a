/** filemgr version: which build this is. */
import type { Command } from 'commander'
import { COMMIT, VERSION } from '#server/version.ts'
import { uiDigest } from '#server/web/assets.ts'
import type { Io } from '../io.ts'

export function versionCommand(program: Command, io: Io): void {
  program
    .command('version')
    .description('print version, commit, runtime and interface')
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }) => {
      const parts = { version: VERSION, commit: COMMIT, bun: Bun.version, ui: uiDigest }
      if (flags.json) io.out(JSON.stringify(parts, null, 2))
      else io.out(`filemgr ${VERSION} (commit ${COMMIT}, bun ${Bun.version}, ui ${uiDigest})`)
    })
    .addHelpText('after', '\nExample:\n  filemgr version --json')
}
