/** `npm run soak [-- MINUTES]`: tests the executable with fifty users at once for half an hour. */
import { EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'

mustBeBuilt()
const [minutes = '30'] = process.argv.slice(2)
const seconds = Number(minutes) * 60
const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_SOAK_SECONDS: String(seconds) }
const timeout = `--timeout=${(seconds + 120) * 1000}`
await runInTerminal([process.execPath, 'test', timeout, './test/soak/'], env)
