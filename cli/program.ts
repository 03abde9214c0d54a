/** Every command, in one list. */
import { Command } from 'commander'
import { isConfigured, loadConfig } from '#server/config/load.ts'
import { backupCommand, exportCommand, restoreCommand } from './commands/backup.ts'
import { cmdsCommand } from './commands/cmds.ts'
import { completionCommand } from './commands/completion.ts'
import { configCommand } from './commands/config.ts'
import { doctorCommand } from './commands/doctor.ts'
import { drawCommand } from './commands/draw.ts'
import { hashCommand } from './commands/hash.ts'
import { importCommand } from './commands/import.ts'
import { jailCommand } from './commands/jail.ts'
import { jobsCommand } from './commands/jobs.ts'
import { journalCommand } from './commands/journal.ts'
import { manCommand } from './commands/man.ts'
import { rulesCommand } from './commands/rules.ts'
import { selfCheckCommand } from './commands/self-check.ts'
import { serveCommand } from './commands/serve.ts'
import { sessionsCommand } from './commands/sessions.ts'
import { sharesCommand } from './commands/shares.ts'
import { statusCommand } from './commands/status.ts'
import { usersCommand } from './commands/users.ts'
import { verifyCommand } from './commands/verify.ts'
import { versionCommand } from './commands/version.ts'
import type { Io } from './io.ts'

const COMMANDS = [
  serveCommand,
  statusCommand,
  usersCommand,
  rulesCommand,
  sharesCommand,
  sessionsCommand,
  journalCommand,
  jobsCommand,
  cmdsCommand,
  configCommand,
  importCommand,
  verifyCommand,
  backupCommand,
  restoreCommand,
  exportCommand,
  doctorCommand,
  hashCommand,
  completionCommand,
  manCommand,
  versionCommand,
  selfCheckCommand,
  jailCommand,
  drawCommand,
]

/** The command tree. It throws instead of exiting; what it prints goes through `io`. */
export function createProgram(io: Io): Command {
  const program = new Command('filemgr')
    .description('A web file manager: serves a folder to browsers.')
    .addHelpText('after', '\nExample:\n  filemgr serve ./data')
    .showHelpAfterError('(--help shows what is possible)')
  for (const add of COMMANDS) add(program, io)
  quiet(program, io)
  return program
}

/**
 * File Browser's root command serves: `filemgr -r /srv -p 80` is `filemgr serve -r /srv -p 80`, and so is
 * no word at all where the environment or a file says what to serve, as in a container.
 *
 * @param words as the process got them, without the program's own name
 */
export function preferredForm(words: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const [first] = words
  const serves =
    first === undefined
      ? isConfigured(env)
      : first.startsWith('-') && !['-h', '--help'].includes(first)
  return serves ? ['serve', ...words] : [...words]
}

/**
 * Why there is nothing to do where somebody may think that a file says what to serve.
 *
 * @param words what is to be run; none is the usage
 */
export function whyNothing(words: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  return words.length === 0 ? loadConfig({ flags: {}, env }).notices : []
}

function quiet(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.replace(/\n$/, '')),
    writeErr: (text) => io.err(text.replace(/\n$/, '')),
  })
  for (const child of command.commands) quiet(child, io)
}
