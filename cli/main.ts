/** The executable: runs the program and ends with its exit code. */
import { exitOf } from './exit.ts'
import { terminal } from './io.ts'
import { createProgram, preferredForm } from './program.ts'

const io = terminal()
try {
  await createProgram(io).parseAsync(preferredForm(process.argv.slice(2), io.env), { from: 'user' })
  process.exitCode = 0
} catch (error) {
  const { code, print: say } = exitOf(error)
  if (say) io.err(say)
  process.exitCode = code
}
