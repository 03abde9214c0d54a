/** The list of all commands. */
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

/** Builds the command tree. It throws instead of exiting; output goes through `io`. */
export function createProgram(io: Io): Command {
  const program = new Command('filemgr')
    .description('A web file manager: serves a folder to browsers.')
    .addHelpText('after', '\nExample:\n  filemgr serve ./data')
    .showHelpAfterError('(--help shows what is possible)')
  for (const add of COMMANDS) add(program, io)
  silence(program, io)
  return program
}

/**
 * File Browser's root command serves: `filemgr -r /srv -p 80` means `filemgr serve -r /srv -p 80`, as does a call
 * without arguments if the environment or a file names the root, as in a container.
 *
 * @param args the arguments
 */
export function preferredForm(args: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const [first] = args
  const serves =
    first === undefined
      ? isConfigured(env)
      : first.startsWith('-') && !['-h', '--help'].includes(first)
  return serves ? ['serve', ...args] : [...args]
}

/**
 * The message if a configuration file exists that is not read without `serve`.
 *
 * @param args the arguments; if empty, the usage is printed
 */
export function whyNothing(args: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  return args.length === 0 ? loadConfig({ flags: {}, env }).notices : []
}

function silence(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.replace(/\n$/, '')),
    writeErr: (text) => io.err(text.replace(/\n$/, '')),
  })
  for (const child of command.commands) silence(child, io)
}
