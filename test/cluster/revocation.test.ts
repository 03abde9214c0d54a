/**
 * What is revoked at one server is revoked at all: no request is authorised that began after the answer to the revocation,
 * whichever server it is sent to.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { anonymous, type Client, clientWith, signIn } from '../support/server/client.ts'
import { cluster } from '../support/server/cluster.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { postgresMissing } from '../support/server/postgres.ts'

/** How many requests run at the same time, how many begin before the revocation, and how many after it. */
const AT_ONCE = 20
const BEFORE = 100
const AFTER = 100

describe.skipIf(postgresMissing() !== undefined)(
  'what is revoked at one server @spec-10.17',
  () => {
    const servers = cluster(2)
    const confirmed = { what: 'user', current_password: PASSWORD }
    let admin: Client
    let anna: Client
    let atSecond: Client
    beforeAll(async () => {
      writeFileSync(servers().at('file.txt'), 'text')
      admin = await signIn(url(0), 'admin', PASSWORD)
      const data = { username: 'anna', password: PASSWORD, perm: { download: true, share: true } }
      const made = await admin.call('POST', API.users, { ...confirmed, which: [], data })
      expect(made.status, await made.text()).toBe(201)
    })
    const url = (number: number) => servers().members[number]?.server.url ?? ''
    const signInAnna = async () => {
      anna = await signIn(url(0), 'anna', PASSWORD)
      atSecond = clientWith(url(1), anna.token)
    }
    const read = (client: Client) => async () => {
      const answer = await client.call('GET', `${API.raw}/file.txt`)
      await answer.text()
      return answer.status
    }

    /** Sends requests to the second server while the first one revokes. @returns the statuses of those before and after */
    const statusesAround = async (
      request: () => Promise<number>,
      revoke: () => Promise<Response>,
    ) => {
      const [before, after] = [[] as number[], [] as number[]]
      let [begun, revokedMs] = [0, Number.POSITIVE_INFINITY]
      const enough = Promise.withResolvers<void>()
      const send = async () => {
        while (after.length < AFTER) {
          begun += 1
          if (begun === BEFORE) enough.resolve()
          const beganMs = performance.now()
          const status = await request()
          if (beganMs > revokedMs) after.push(status)
          else before.push(status)
        }
      }
      const sending = Array.from({ length: AT_ONCE }, send)
      await enough.promise
      const answer = await revoke()
      revokedMs = performance.now()
      expect(answer.ok, await answer.clone().text()).toBe(true)
      await answer.body?.cancel()
      await Promise.all(sending)
      expect(before.filter((status) => status === 200).length).toBeGreaterThanOrEqual(AT_ONCE)
      return new Set(after)
    }

    test('a session is', async () => {
      await signInAnna()
      const end = () => anna.call('POST', API.logout)
      expect(await statusesAround(read(atSecond), end)).toEqual(new Set([401]))
    })

    test('an app password is', async () => {
      await signInAnna()
      const body = { name: 'script', permissions: ['download'], current_password: PASSWORD }
      const made = await (await anna.call('POST', API.appPasswords, body)).json()
      const remove = () => anna.call('DELETE', `${API.appPasswords}/${made.id}`)
      const script = clientWith(url(1), made.password)
      // Many unknown ones from one address are refused before they are looked up.
      const statuses = await statusesAround(read(script), remove)
      statuses.delete(429)
      expect(statuses).toEqual(new Set([401]))
    })

    test('a permission is', async () => {
      await signInAnna()
      const users: { id: number; username: string; perm: object }[] = await (
        await admin.call('GET', API.users)
      ).json()
      const found = users.find(({ username }) => username === 'anna')
      const change = (download: boolean) => {
        const data = { id: found?.id, perm: { ...found?.perm, download, share: download } }
        return admin.call('PUT', `${API.users}/${found?.id}`, {
          ...confirmed,
          which: ['perm'],
          data,
        })
      }
      const statuses = await statusesAround(read(atSecond), () => change(false))
      expect((await change(true)).status).toBe(200)
      // A change of the permissions ends the sessions.
      expect(statuses).toEqual(new Set([401]))
    })

    test('access to a path is, by a rule', async () => {
      await signInAnna()
      const put = (rules: object[]) => admin.call('PUT', API.settings, { rules })
      const denied = [{ allow: false, regex: false, path: '/file.txt', regexp: { raw: '' } }]
      const statuses = await statusesAround(read(atSecond), () => put(denied))
      expect((await put([])).status).toBe(200)
      expect(statuses).toEqual(new Set([403]))
    })

    test('a share is', async () => {
      await signInAnna()
      const { hash } = await (await anna.call('POST', `${API.share}/file.txt`, {})).json()
      const visitor = anonymous(url(1))
      const visit = async () => {
        const answer = await visitor.call('GET', `${API.publicDownload}/${hash}`)
        await answer.text()
        return answer.status
      }
      const remove = () => anna.call('DELETE', `${API.share}/${hash}`)
      expect(await statusesAround(visit, remove)).toEqual(new Set([404]))
    })
  },
)
