/** The list of all commands. */
import { Command } from 'commander'
import { noticeOfUntrustedDatabase } from '#server/config/database-to-import.ts'
import { isConfigured, loadConfig, type Sources } from '#server/config/load.ts'
import type { Io } from './io.ts'
import { withCommandFirst } from './leading-flags.ts'

type AddCommand = (program: Command, io: Io) => void

/** Loads each command only if it is needed: their modules take most of the time of a start. */
const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  status: async () => (await import('./commands/status.ts')).statusCommand,
  users: async () => (await import('./commands/users.ts')).usersCommand,
  rules: async () => (await import('./commands/rules.ts')).rulesCommand,
  shares: async () => (await import('./commands/shares.ts')).sharesCommand,
  sessions: async () => (await import('./commands/sessions.ts')).sessionsCommand,
  'app-passwords': async () => (await import('./commands/app-passwords.ts')).appPasswordsCommand,
  identity: async () => (await import('./commands/identity.ts')).identityCommand,
  journal: async () => (await import('./commands/journal.ts')).journalCommand,
  jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
  uploads: async () => (await import('./commands/uploads.ts')).uploadsCommand,
  cmds: async () => (await import('./commands/cmds.ts')).cmdsCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  database: async () => (await import('./commands/database.ts')).databaseCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  export: async () => (await import('./commands/backup.ts')).exportCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  hash: async () => (await import('./commands/hash.ts')).hashCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
  man: async () => (await import('./commands/man.ts')).manCommand,
  version: async () => (await import('./commands/version.ts')).versionCommand,
  'self-check': async () => (await import('./commands/self-check.ts')).selfCheckCommand,
  jail: async () => (await import('./commands/jail.ts')).jailCommand,
  draw: async () => (await import('./commands/draw.ts')).drawCommand,
}
/** The command that needs all others, because it describes them. */
const MANUAL = 'man'

/**
 * Builds the command tree: only the command that the arguments name, or all commands, for help and completion. The
 * program throws instead of exiting, and prints through `io`.
 */
export async function createProgram(io: Io, [verb = '']: readonly string[]): Promise<Command> {
  const program = new Command('filemgr')
    .description('A web file manager: serves a folder to browsers.')
    .addHelpText('after', '\nExample:\n  filemgr serve ./data')
    .showHelpAfterError('(--help shows what is possible)')
  const needsOne = Object.hasOwn(COMMANDS, verb) && verb !== MANUAL
  for (const name of needsOne ? [verb] : Object.keys(COMMANDS)) {
    const addCommand = await COMMANDS[name]?.()
    addCommand?.(program, io)
  }
  printThrough(program, io)
  return program
}

/**
 * The arguments with a command in first place. File Browser accepts flags before the command, such as
 * `-d DB config init`, which means `config init -d DB` here.
 *
 * File Browser's root command serves: `filemgr -r /srv -p 80` means `filemgr serve -r /srv -p 80`, as does a call
 * without arguments if the environment, a configuration file or the database names a folder, as in a container. `--version`
 * means the command `version`.
 *
 * @param sources where options are read if there are no arguments
 * @returns the arguments with the command that they imply
 */
export function withCommand(args: readonly string[], sources: Sources): string[] {
  const ordered = withCommandFirst(args, (word) => Object.hasOwn(COMMANDS, word) || word === 'help')
  const [first] = ordered
  if (first === '--version' || first === '-V') return ['version', ...ordered.slice(1)]
  const impliesServe =
    first === undefined
      ? isConfigured(sources)
      : first.startsWith('-') && !['-h', '--help'].includes(first)
  return impliesServe ? ['serve', ...ordered] : ordered
}

/**
 * The notices of the configuration if there are no arguments. They say why a configuration file is not read or a database
 * not imported, and so why the usage is printed instead of a server started.
 */
export function noticesWithoutCommand(
  args: readonly string[],
  sources: Sources,
): readonly string[] {
  if (args.length > 0) return []
  const config = loadConfig(sources)
  const untrusted = noticeOfUntrustedDatabase(config)
  return [...config.notices, ...(untrusted ? [untrusted] : [])]
}

/** Makes a command and its subcommands throw instead of exiting, and print through `io`. */
function printThrough(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.replace(/\n$/, '')),
    writeErr: (text) => io.err(text.replace(/\n$/, '')),
  })
  for (const child of command.commands) printThrough(child, io)
}
