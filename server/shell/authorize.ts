/** Who may run which command. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { NOT_ALLOWED } from '#wire/shell.ts'
import { isAllowed } from './commands.ts'
import type { ShellSession } from './connection.ts'
import type { Shell } from './shell.ts'

/**
 * Opens the folder in which `argv` may run. A person's line never reaches a shell, even where the
 * administrator configured one: its words are the program and its arguments.
 *
 * @throws Fault forbidden with the one sentence for everything that is not allowed; what keeps the
 *   folder from being opened, in its own words
 */
export async function authorize(
  shell: Shell,
  session: ShellSession,
  argv: readonly string[],
): Promise<CommandFolder> {
  const person = session.user()
  const may = shell.off === undefined && person?.scope.may('execute') === true
  if (!person || !may || !isAllowed(argv, person.programs)) {
    throw new Fault('forbidden', NOT_ALLOWED, { reason: 'commandNotAllowed' })
  }
  return person.scope.programs.openForCommand(session.folder)
}

/** The sentence of an error for the person who started a command. */
export function messageOf(error: unknown): string {
  return error instanceof Fault ? error.message : 'The command could not be started.'
}
