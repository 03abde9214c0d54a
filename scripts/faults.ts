/** `npm run faults [-- KILLS]`: kills, full disks and the like, as long as `npm test` has no time for. */
import { become, EXECUTABLE, mustBeBuilt } from './executable.ts'

mustBeBuilt()
const [kills = '200'] = process.argv.slice(2)
const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_KILLS: kills }
await become([process.execPath, 'test', '--timeout=60000', './test/faults/'], env)
