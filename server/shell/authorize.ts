/** Decides who may run which command. */
import type { CommandFolder } from '#server/storage/storage.ts'
import { NOT_ALLOWED } from '#wire/api/shell.ts'
import { Fault } from '#wire/fault.ts'
import { isAllowed } from './commands.ts'
import type { ShellSession } from './connection.ts'
import type { Shell } from './shell.ts'

/**
 * Opens the folder in which `argv` may run. The user's line is never passed to a shell; its words are the program and
 * its arguments.
 *
 * @throws Fault forbidden with the same message for everything that is not allowed; errors of opening the folder
 */
export async function authorize(
  shell: Shell,
  session: ShellSession,
  argv: readonly string[],
): Promise<CommandFolder> {
  const user = await session.user()
  const mayRun = shell.off === undefined && user?.scope.may('execute') === true
  if (!user || !mayRun || !isAllowed(argv, user.programs)) {
    throw new Fault('forbidden', NOT_ALLOWED, { reason: 'commandNotAllowed' })
  }
  return user.scope.programs.openForCommand(session.folder)
}

/** The message of an error for the user. */
export function messageOf(error: unknown): string {
  return error instanceof Fault ? error.message : 'The command could not be started.'
}
