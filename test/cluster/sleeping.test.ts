/**
 * A server that sleeps, because its process is stopped, loses its work to the others. When it wakes up, it changes nothing
 * of that, and works on under a new number.
 */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { anonymous, outcome } from '../support/server/client.ts'
import { cluster, serversOf } from '../support/server/cluster.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, jobOf, started, until } from '../support/server/jobs.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { createUpload, offsetOf, sendPart, slowBody, stagedBytes } from '../support/server/tus.ts'

const missing = postgresMissing()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('a server that sleeps', () => {
  const given = cluster(3)

  test('changes nothing of what others have taken over, and works on when it wakes up', async () => {
    const { at, postgres, url } = given()
    const [sleeper, second, third] = serversOf(given())
    mkdirSync(at('endless'))
    writeEndless(at('endless/zeros'))
    const address = await createUpload(sleeper.admin, 'large', 2_000_000)
    const body = slowBody('a'.repeat(1000))
    const sleeping = sendPart(sleeper.admin, address, 0, body.body)
    await stagedBytes(at(), address, 1000)
    const items = [{ path: '/endless' }]
    const { id } = await started(sleeper.admin, { kind: 'archive', items, to: '/made.tar.gz' })
    await until(sleeper.admin, id, ({ bytesDone }) => bytesDone > 0)
    const numbers = async () => (await postgres.run(url, 'SELECT number::int FROM servers')).length
    expect(await numbers()).toBe(3)

    sleeper.server.kill('SIGSTOP')
    // The first server does the periodic work, until its lease is over.
    await postgres.run(
      url,
      `INSERT INTO journal (root, writer, at_ms, user_id, username, session, client, job_item, verb, scope, path, target, undo_of)
       VALUES ('${at()}', 'ended-999', 0, 1, 'admin', '', 'api', 0, 'write', '/', '/left', '', 0)`,
    )
    const isLeft = async () =>
      (await postgres.run(url, `SELECT 1 FROM journal WHERE path = '/left'`)).length > 0
    expect(await offsetOf(second.admin, address)).toBe(1000)
    expect(await sendPart(second.admin, address, 1000, 'b'.repeat(999_000))).toBe('204')
    // The holder has ended its request, but the upload is unfinished when the sleeper wakes up.
    const isRunning = async () => {
      const seen = await Promise.all([jobOf(second.admin, id), jobOf(third.admin, id)])
      return seen.some(({ bytesDone }) => bytesDone > 0)
    }
    while (!(await isRunning())) await Bun.sleep(50)
    while (await isLeft()) await Bun.sleep(50)
    expect(await numbers()).toBe(2)

    body.send('x'.repeat(500_000))
    sleeper.server.kill('SIGCONT')
    expect(await sleeping).toBe('423 locked')
    expect(await offsetOf(third.admin, address)).toBe(1_000_000)
    expect(await sendPart(third.admin, address, 1_000_000, 'c'.repeat(1_000_000))).toBe('204')
    const content = 'a'.repeat(1000) + 'b'.repeat(999_000) + 'c'.repeat(1_000_000)
    expect(readFileSync(at('large'), 'utf8') === content).toBe(true)

    await sleeper.server.says(new RegExp(`job ${id} is continued by another`))
    expect(existsSync(at('made.tar.gz'))).toBe(false)
    expect(await outcome(control(sleeper.admin, id, 'pause'))).toBe('200')
    await until(sleeper.admin, id, ({ state }) => state === 'paused')
    truncateSync(at('endless/zeros'), 5)
    expect(await outcome(control(third.admin, id, 'resume'))).toBe('200')
    expect((await ended(sleeper.admin, id)).state).toBe('done')
    const made = `SELECT verb, is_done::int FROM journal WHERE job_item IN (SELECT id FROM job_items WHERE job = ${id})`
    expect(await postgres.run(url, made)).toEqual([{ verb: 'archive', is_done: 1 }])
    expect(readdirSync(at()).filter((name) => name.startsWith('made'))).toEqual(['made.tar.gz'])

    await sleeper.server.says(/could not renew its lease/)
    const save = () => outcome(sleeper.admin.call('POST', `${API.resources}/after`, 'after'))
    expect(await save()).toBe('200')
    const ready = () => outcome(anonymous(sleeper.server.url).call('GET', API.ready))
    expect(await ready()).toBe('200')
    expect(await numbers()).toBe(3)
  }, 60_000)
})
