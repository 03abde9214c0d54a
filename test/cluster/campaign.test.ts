/**
 * Three servers with one database are killed and stopped, and the database is cut off and crashes, while users write, upload,
 * merge, undo and revoke at all of them. After each round, every acknowledged file is whole, no name is there that no change
 * has created, the journal has exactly the changes (undoing them restores the tree of before), and nothing is left
 * staged.
 *
 * `FILEMGR_ROUNDS` is the number of rounds. The first has the seed `FILEMGR_SEED`, and each further one the next number.
 */
import { expect, test } from 'bun:test'
import { drawFrom } from '../faults/load.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { Revocations } from './campaign/revocations.ts'
import { playRound } from './campaign/round.ts'
import { SharedServers } from './campaign/servers.ts'
import { ageUploads, uploadsWithoutRow } from './campaign/staging.ts'

const ROUNDS = Number(process.env.FILEMGR_ROUNDS ?? 3)
const SERVERS = 3
/** A stop of half a minute, a takeover, and the undo of all changes. */
const ROUND_MAX_MS = 240_000

const missing = postgresMissing()
if (missing) process.stdout.write(`${missing}\n`)

test.skipIf(missing !== undefined)(
  `${ROUNDS} rounds of faults at three servers lose nothing @spec-10.24`,
  async () => {
    const first = Number(process.env.FILEMGR_SEED ?? Date.now() % 2 ** 31)
    const servers = await SharedServers.start(SERVERS)
    let [changes, undone, continued] = [0, 0, 0]
    try {
      await Revocations.addUser(servers.anyClient(drawFrom(first)))
      for (let round = 0; round < ROUNDS; round += 1) {
        const seed = first + round
        process.stdout.write(`round ${round + 1} of ${ROUNDS}, seed ${seed}: `)
        const report = await playRound(servers, seed)
        process.stdout.write(
          `${report.faults}; ${report.changes} changes, ${report.undone} undone, ${report.continued} continued, ${report.wrong.length} lost\n`,
        )
        expect(report.wrong, `seed ${seed}`).toEqual([])
        changes += report.changes
        undone += report.undone
        continued += report.continued
      }
      ageUploads(servers)
      for (let at = 0; at < SERVERS; at += 1) servers.kill(at)
      await servers.revive()
      expect(await uploadsWithoutRow(servers)).toEqual([])
    } catch (error) {
      process.stdout.write(`\n${servers.output()}\n${await servers.newestRows()}\n`)
      throw error
    } finally {
      await servers.remove()
    }
    process.stdout.write(
      `${ROUNDS} rounds with ${changes} changes of users, ${continued} uploads and jobs continued, ${undone} changes undone, 0 lost\n`,
    )
    expect(changes).toBeGreaterThan(ROUNDS)
  },
  ROUNDS * ROUND_MAX_MS,
)
