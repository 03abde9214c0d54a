/** The executable: runs the program and ends with its exit code. */
import { ending } from './exit.ts'
import { terminal } from './io.ts'
import { asSpoken, createProgram } from './program.ts'

const io = terminal()
try {
  await createProgram(io).parseAsync(asSpoken(process.argv.slice(2), io.env), { from: 'user' })
  process.exitCode = 0
} catch (error) {
  const { code, say } = ending(error)
  if (say) io.err(say)
  process.exitCode = code
}
