/** filemgr man: prints the manual page. */
import type { Command } from 'commander'
import { buildInfo } from '#server/build-info.ts'
import type { Io } from '../io.ts'
import { manualPage } from '../man.ts'

export function manCommand(program: Command, io: Io): void {
  program
    .command('man')
    .description('print the manual page')
    .action(() => io.out(manualPage(program, buildInfo().version)))
    .addHelpText('after', '\nExample:\n  filemgr man > /usr/local/share/man/man1/filemgr.1')
}
