/** Every command, in one list. */
import { Command } from 'commander'
import { configCommand } from './commands/config.ts'
import { hashCommand } from './commands/hash.ts'
import { rulesCommand } from './commands/rules.ts'
import { selfCheckCommand } from './commands/self-check.ts'
import { serveCommand } from './commands/serve.ts'
import { sessionsCommand } from './commands/sessions.ts'
import { sharesCommand } from './commands/shares.ts'
import { usersCommand } from './commands/users.ts'
import { versionCommand } from './commands/version.ts'
import type { Io } from './io.ts'

const COMMANDS = [
  serveCommand,
  usersCommand,
  rulesCommand,
  sharesCommand,
  sessionsCommand,
  configCommand,
  hashCommand,
  versionCommand,
  selfCheckCommand,
]

/** The command tree. It throws instead of exiting; what it prints goes through `io`. */
export function createProgram(io: Io): Command {
  const program = new Command('filemgr')
    .description('Turns a folder into a place people reach from a browser.')
    .addHelpText('after', '\nExample:\n  filemgr serve ./data')
    .showHelpAfterError('(--help shows what is possible)')
  for (const add of COMMANDS) add(program, io)
  quiet(program, io)
  return program
}

function quiet(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.replace(/\n$/, '')),
    writeErr: (text) => io.err(text.replace(/\n$/, '')),
  })
  for (const child of command.commands) quiet(child, io)
}
