/** Runs the command that the arguments name. */
import type { Sources } from '#server/config/load.ts'
import { exitFor } from './exit.ts'
import { type Io, processIo } from './io.ts'
import { createProgram, noticesWithoutCommand, withCommand } from './program.ts'
import { withSwitchValues } from './switches.ts'

/** Never throws: errors are printed, and become the exit code. */
export async function run(): Promise<void> {
  const io = processIo()
  try {
    const sources = await sourcesOf(io)
    const args = withCommand(io.args, sources)
    for (const notice of noticesWithoutCommand(args, sources)) io.err(notice)
    const program = await createProgram(io, args)
    await program.parseAsync(withSwitchValues(program, args), { from: 'user' })
    process.exitCode = 0
  } catch (error) {
    const { code, print: message } = exitFor(error)
    if (message) io.err(message)
    process.exitCode = code
  }
}

/** The sources of options without flags. Reading databases takes time to load, and is only needed without arguments. */
async function sourcesOf({ args, env }: Io): Promise<Sources> {
  if (args.length > 0) return { flags: {}, env }
  const { rootInDatabase } = await import('#server/takeover/root-in-database.ts')
  return { flags: {}, env, rootIn: rootInDatabase }
}
