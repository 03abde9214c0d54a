/**
 * `npm run faults [-- KILLS]`: tests the executable with kills, full disks, races, broken connections and random
 * requests, with more of them than `npm test`.
 *
 * `npm run faults -- cluster [--rounds N]`: kills and stops three servers with one PostgreSQL database, and the database,
 * while users work at all of them. The environment variable `FILEMGR_SEED` is the seed of the first round.
 */
import { parseArgs } from 'node:util'
import { countOf, EXECUTABLE, mustBeBuilt, runInTerminal } from './executable.ts'

const [first = '200', ...others] = process.argv.slice(2)
if (first === 'cluster') await runCluster(others)
else await runAll(countOf(first, 'kills'))

async function runAll(kills: number): Promise<void> {
  mustBeBuilt()
  const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_KILLS: String(kills), FILEMGR_HANG_UPS: '12' }
  const tests = ['./test/faults/', './test/api/fuzz.test.ts']
  await runInTerminal([process.execPath, 'test', '--timeout=120000', ...tests], env)
}

async function runCluster(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { rounds: { type: 'string', default: '50' } } })
  const env = { FILEMGR_BIN: EXECUTABLE, FILEMGR_ROUNDS: String(countOf(values.rounds, 'rounds')) }
  mustBeBuilt()
  await runInTerminal([process.execPath, 'test', './test/cluster/campaign.test.ts'], env)
}
