/**
 * `npm run faults [-- KILLS]`: kills, full disks, races, broken connections and senseless requests; more of them than
 * `npm test` has time for.
 */
import { EXECUTABLE, execAndExit, mustBeBuilt } from './executable.ts'

mustBeBuilt()
const [kills = '200'] = process.argv.slice(2)
const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_KILLS: kills, FILEMGR_HANG_UPS: '12' }
const tests = ['./test/faults/', './test/api/fuzz.test.ts']
await execAndExit([process.execPath, 'test', '--timeout=120000', ...tests], env)
