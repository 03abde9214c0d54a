/** filemgr self-check: verifies that all parts of the executable work on this machine. */
import type { Command } from 'commander'
import { selfCheck } from '#server/build-info.ts'
import type { Io } from '../io.ts'

export function selfCheckCommand(program: Command, io: Io): void {
  program
    .command('self-check', { hidden: true })
    .description('internal: test the parts of the executable and print them as JSON')
    .action(async () => io.out(JSON.stringify(await selfCheck(), null, 2)))
}
