/**
 * `npm run faults [-- KILLS]`: tests the executable with kills, full disks, races, broken connections and random
 * requests, with more of them than `npm test`.
 */
import { countOf, EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'

const kills = String(countOf(process.argv[2] ?? '200', 'kills'))
mustBeBuilt()
const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_KILLS: kills, FILEMGR_HANG_UPS: '12' }
const tests = ['./test/faults/', './test/api/fuzz.test.ts']
await runInTerminal([process.execPath, 'test', '--timeout=120000', ...tests], env)
