/** Three servers with one PostgreSQL database and one folder do the work of each other, also of a killed one. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, truncateSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { cluster, serversOf } from '../support/server/cluster.ts'
import { writeEndless } from '../support/server/endless.ts'
import { control, ended, jobOf, started, until } from '../support/server/jobs.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { createUpload, offsetOf, sendPart, slowBody, stagedBytes } from '../support/server/tus.ts'

const missing = postgresMissing()
if (missing) process.stdout.write(`${missing}\n`)

describe.skipIf(missing !== undefined)('three servers', () => {
  const given = cluster(3)

  test('publish one name at once: one succeeds', async () => {
    const servers = serversOf(given())
    for (let round = 0; round < 5; round += 1) {
      const outcomes = servers.map(({ admin }, number) =>
        outcome(admin.call('POST', `${API.resources}/round-${round}`, `of ${number}`)),
      )
      const seen = await Promise.all(outcomes)
      expect(seen.toSorted()).toEqual(['200', '409 conflict', '409 conflict'])
      const content = readFileSync(given().at(`round-${round}`), 'utf8')
      expect(content).toBe(`of ${seen.indexOf('200')}`)
    }
  })

  test('receive parts of one upload at the same time: none is lost', async () => {
    const [first, second] = serversOf(given())
    const [size, part] = [40_000, 1000]
    const address = await createUpload(first.admin, 'both', size)
    const acknowledged = new Map<number, string>()
    const send = async ({ admin }: typeof first, letter: string) => {
      for (let seen = 0; seen < size; ) {
        const result = await sendPart(admin, address, seen, letter.repeat(part))
        if (result === '204') {
          expect(acknowledged.has(seen)).toBe(false)
          acknowledged.set(seen, letter)
          seen += part
        } else if (acknowledged.size * part === size) return
        else seen = (await offsetOf(admin, address)) || seen
      }
    }
    await Promise.all([send(first, 'a'), send(second, 'b')])
    const content = readFileSync(given().at('both'), 'utf8')
    expect(content.length).toBe(size)
    for (const [from, letter] of acknowledged) {
      expect(content.slice(from, from + part)).toBe(letter.repeat(part))
    }
  })

  test('pause, continue and cancel a job of another one', async () => {
    const [first, second, third] = serversOf(given())
    mkdirSync(given().at('endless'))
    writeEndless(given().at('endless/zeros'))
    const items = [{ path: '/endless' }]
    const { id } = await started(first.admin, { kind: 'archive', items, to: '/cancelled.tar.gz' })
    await until(first.admin, id, ({ bytesDone }) => bytesDone > 0)
    const paused = await control(second.admin, id, 'pause')
    expect(await paused.json()).toMatchObject({ state: 'paused' })
    expect((await jobOf(first.admin, id)).state).toBe('paused')
    expect(await outcome(control(third.admin, id, 'resume'))).toBe('200')
    await until(first.admin, id, ({ bytesDone }) => bytesDone > 0)
    const cancelled = await control(second.admin, id, 'cancel')
    expect(await cancelled.json()).toMatchObject({ state: 'cancelled' })
    expect((await ended(first.admin, id)).state).toBe('cancelled')
  })

  test('continue the upload and the job of a killed one', async () => {
    const [first, second, third] = serversOf(given())
    const address = await createUpload(third.admin, 'large', 2_000_000)
    const abandoned = sendPart(third.admin, address, 0, slowBody('c'.repeat(1000)).body).catch(
      () => 'no response',
    )
    const staged = await stagedBytes(given().at(), address, 1000)
    const items = [{ path: '/endless' }]
    const { id } = await started(third.admin, { kind: 'archive', items, to: '/continued.tar.gz' })
    await until(third.admin, id, ({ bytesDone }) => bytesDone > 0)
    third.server.kill('SIGKILL')
    expect(await abandoned).toBe('no response')
    expect(await offsetOf(second.admin, address)).toBe(1000)
    expect(readFileSync(staged, 'utf8')).toBe('c'.repeat(1000))
    expect(await sendPart(second.admin, address, 1000, 'd'.repeat(1_999_000))).toBe('204')
    const content = readFileSync(given().at('large'), 'utf8')
    expect(content === 'c'.repeat(1000) + 'd'.repeat(1_999_000)).toBe(true)
    // The row says so from the beginning; a server that runs it shows progress.
    const isRunning = async () => {
      const seen = await Promise.all([jobOf(first.admin, id), jobOf(second.admin, id)])
      return seen.some(({ bytesDone }) => bytesDone > 0)
    }
    while (!(await isRunning())) await Bun.sleep(50)
    expect(await outcome(control(first.admin, id, 'pause'))).toBe('200')
    await until(first.admin, id, ({ state }) => state === 'paused')
    truncateSync(given().at('endless/zeros'), 5)
    expect(await outcome(control(second.admin, id, 'resume'))).toBe('200')
    expect((await ended(first.admin, id)).state).toBe('done')
  }, 60_000)
})
