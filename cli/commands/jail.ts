/** filemgr jail: starts a command in its jail, for the server, which passes the policy of the jail in the environment. */
import type { Command } from 'commander'
import { enterJail } from '#server/shell/isolation/jail.ts'
import type { Io } from '../io.ts'

export function jailCommand(program: Command, io: Io): void {
  program
    .command('jail', { hidden: true })
    .description('internal: start a command in its jail')
    .action(() => {
      const { code, warn: message } = enterJail(io.env)
      if (message) io.err(message)
      // Exits at once, because cleaning up is not possible in isolation.
      process.exit(code)
    })
}
