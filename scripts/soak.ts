/** `npm run soak [-- MINUTES]`: tests the executable with fifty users at once for half an hour. */
import { countOf, EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'

const seconds = countOf(process.argv[2] ?? '30', 'minutes') * 60
mustBeBuilt()
const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_SOAK_SECONDS: String(seconds) }
const timeout = `--timeout=${(seconds + 120) * 1000}`
await runInTerminal([process.execPath, 'test', timeout, './test/soak/'], env)
