/**
 * One server is killed and another one sleeps at random moments during changes. Every file has its old or its new content, no
 * other file exists, and every change has its journal entry: when all entries are undone, newest first, the folder is
 * empty again.
 */
import { describe, expect, test } from 'bun:test'
import { ExpectedState } from '../faults/expected-state.ts'
import { drawFrom, SimulatedUser } from '../faults/load.ts'
import { momentOf, undoBackTo } from '../faults/undoing.ts'
import { type Client, clientWith } from '../support/server/client.ts'
import { cluster, type Member, serversOf } from '../support/server/cluster.ts'
import { postgresMissing } from '../support/server/postgres.ts'

/** The trash keeps everything, so that every change can be undone at the end. */
const KEEP_ALL = ['--trash-share', '100', '--trash-versions', '10000']
/** Between two requests to the server that does not fail, which receives them for longer than the others. */
const PAUSE_MS = 100

const missing = postgresMissing()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('servers that fail during changes', () => {
  const given = cluster(3, KEEP_ALL)

  test('lose no file and no entry', async () => {
    const seed = Number(process.env.FILEMGR_SEED ?? Date.now() % 2 ** 31)
    const draw = drawFrom(seed)
    const { at, postgres, url } = given()
    const [sleeping, lasting, killed] = serversOf(given())
    // An upload whose last response was lost is reported to its own session only.
    const { token } = lasting.admin
    const client = clientWith(lasting.server.url, token)
    const expected = new ExpectedState(at())
    let isEnding = false
    const clientOf = ({ server }: Member): Client => ({
      token,
      async call(...request) {
        if (server === lasting.server) await Bun.sleep(PAUSE_MS)
        if (isEnding) throw new Error('The test sends nothing more.')
        return clientWith(server.url, token).call(...request)
      },
    })
    const users = [sleeping, sleeping, sleeping, lasting, killed, killed].map(
      (member, number) => new SimulatedUser(clientOf(member), expected, `p${number}`, draw),
    )
    const moments = [await momentOf(client, at())]
    const refusals = users.map((user) => user.work().then(() => '', String))

    await Bun.sleep(200 + draw(300))
    killed.server.kill('SIGKILL')
    await Bun.sleep(200 + draw(300))
    sleeping.server.kill('SIGSTOP')
    const leases = async () => (await postgres.run(url, 'SELECT name FROM servers')).length
    while ((await leases()) > 1) await Bun.sleep(100)
    const unfinished = async (condition: string) =>
      (await postgres.run(url, `SELECT 1 FROM journal WHERE is_done = 0 AND ${condition}`)).length
    const ofOthers = `writer NOT IN (SELECT name || '-' || number FROM servers)`
    while ((await unfinished(ofOthers)) > 0) await Bun.sleep(100)
    sleeping.server.kill('SIGCONT')
    isEnding = true
    const refused = (await Promise.all(refusals)).filter((refusal) => refusal !== '')
    for (const refusal of refused) expect(refusal).toMatch(/: (503|423|404)$/)

    while ((await unfinished('true')) > 0) await Bun.sleep(100)
    expect(expected.settle(), `seed ${seed}`).toEqual([])
    for (const user of users) await user.resume(client)
    expect(expected.settle(), `seed ${seed}, with all uploads`).toEqual([])
    moments.push(await momentOf(client, at()))
    const { undone, wrong } = await undoBackTo(moments, client, at())
    expect(wrong, `seed ${seed}`).toEqual([])
    const changes = users.reduce((sum, { done }) => sum + done, 0)
    expect(undone).toBeGreaterThanOrEqual(changes)
    process.stdout.write(`${changes} changes, ${refused.length} refused, ${undone} undone\n`)
  }, 90_000)
})
