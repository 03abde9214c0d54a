/** filemgr version: prints the version of this build. */
import type { Command } from 'commander'
import { buildInfo } from '#server/build-info.ts'
import type { Io } from '../io.ts'

export function versionCommand(program: Command, io: Io): void {
  program
    .command('version')
    .description('print version, commit, runtime and interface')
    .option('--json', 'print JSON')
    .action((flags: { json?: boolean }) => {
      const { version, commit, bun, ui } = buildInfo()
      if (flags.json) io.out(JSON.stringify({ version, commit, bun, ui }, null, 2))
      else io.out(`filemgr ${version} (commit ${commit}, bun ${bun}, ui ${ui.slice(0, 12)})`)
    })
    .addHelpText('after', '\nExample:\n  filemgr version --json')
}
