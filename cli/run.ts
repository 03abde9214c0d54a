/** Runs the command that the arguments name. */
import { exitFor } from './exit.ts'
import { processIo } from './io.ts'
import { createProgram, noticesWithoutCommand, withCommand } from './program.ts'
import { withSwitchValues } from './switches.ts'

/** Never throws: errors are printed, and become the exit code. */
export async function run(): Promise<void> {
  const io = processIo()
  try {
    const args = withCommand(io.args, io.env)
    for (const notice of noticesWithoutCommand(args, io.env)) io.err(notice)
    const program = await createProgram(io, args)
    await program.parseAsync(withSwitchValues(program, args), { from: 'user' })
    process.exitCode = 0
  } catch (error) {
    const { code, print: message } = exitFor(error)
    if (message) io.err(message)
    process.exitCode = code
  }
}
