/**
 * The PostgreSQL server crashes and starts again while users sign in, upload and list: each request gets an answer, and
 * nothing that was acknowledged is lost.
 */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { anonymous, clientWith, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'
import { servedOnPostgres } from '../support/server/served-on-postgres.ts'

const CRASHES = 3
/** How many uploads are acknowledged between two crashes. */
const UPLOADS_BETWEEN = 30
const UPLOADERS = 4

describe.skipIf(postgresMissing() !== undefined)('a crash of PostgreSQL', () => {
  const served = servedOnPostgres()

  test('costs requests an error or a wait, and no acknowledged file, entry or session @spec-10.15', async () => {
    const { postgres, url, server } = served()
    const admin = await signIn(server.url, 'admin', PASSWORD)
    const [uploaded, entries, tokens] = [[] as string[], [] as number[], [] as string[]]
    const statuses = {
      upload: new Set<number>(),
      signIn: new Set<number>(),
      list: new Set<number>(),
    }
    let isEnded = false
    const upload = async (who: number) => {
      for (let count = 0; !isEnded; count += 1) {
        const name = `${who}-${count}`
        const answer = await admin.call('POST', `${API.resources}/${name}`, name)
        statuses.upload.add(answer.status)
        await answer.text()
        if (!answer.ok) continue
        uploaded.push(name)
        entries.push(Number(answer.headers.get(JOURNAL_HEADER)))
      }
    }
    const signInAgain = async () => {
      while (!isEnded) {
        const who = { username: 'admin', password: PASSWORD }
        const answer = await anonymous(server.url).call('POST', API.login, who)
        statuses.signIn.add(answer.status)
        const token = await answer.text()
        if (answer.ok) tokens.push(token)
      }
    }
    const list = async () => {
      while (!isEnded) {
        const answer = await admin.call('GET', `${API.resources}/`)
        statuses.list.add(answer.status)
        await answer.text()
      }
    }
    const users = [...Array(UPLOADERS).keys()].map(upload)
    const all = Promise.all([...users, signInAgain(), list()])
    const someMore = async () => {
      const before = uploaded.length
      while (uploaded.length < before + UPLOADS_BETWEEN) await Bun.sleep(5)
    }
    await someMore()
    for (let crash = 0; crash < CRASHES; crash += 1) {
      await postgres.kill()
      await postgres.start()
      await someMore()
    }
    isEnded = true
    await all
    for (const seen of Object.values(statuses)) {
      expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
    }
    for (const name of uploaded) {
      expect(readFileSync(join(server.root, name), 'utf8')).toBe(name)
    }
    const rows = await postgres.run(url, 'SELECT id::int FROM journal')
    const stored = new Set(rows.map(({ id }) => id))
    expect(entries.filter((id) => !stored.has(id))).toEqual([])
    // More sessions than a user may have end the oldest ones.
    const newest = tokens.slice(-10)
    for (const token of newest) {
      expect(await outcome(clientWith(server.url, token).call('GET', `${API.resources}/`))).toBe(
        '200',
      )
    }
    expect(newest.length).toBeGreaterThan(0)
  }, 120_000)

  test('that lasts is an error of the server, not of the user, and ends with it', async () => {
    const { postgres, server } = served()
    const admin = await signIn(server.url, 'admin', PASSWORD)
    await postgres.kill()
    const ready = () => outcome(anonymous(server.url).call('GET', API.ready))
    const seen = await Promise.all([
      outcome(admin.call('GET', `${API.resources}/`)),
      outcome(admin.call('POST', `${API.resources}/late`, 'late')),
      outcome(anonymous(server.url).call('POST', API.login, { username: 'a', password: PASSWORD })),
      ready(),
    ])
    expect(seen).toEqual([
      '503 unavailable',
      '503 unavailable',
      '503 unavailable',
      '503 unavailable',
    ])
    await postgres.start()
    expect(await outcome(admin.call('POST', `${API.resources}/late`, 'late'))).toBe('200')
    expect(await ready()).toBe('200')
  }, 60_000)
})
