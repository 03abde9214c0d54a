/** The first steps of the first administrator (docs/api.md 25). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { FirstSteps } from '#wire/api/first-steps.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const PASSWORD = 'correct horse battery'
let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, 'admin', server.password)
})
afterAll(() => server.stop())

const steps = async (who: Client): Promise<FirstSteps> =>
  (await who.call('GET', API.firstSteps)).json()

async function add(username: string, perm: object): Promise<Client> {
  const answer = await admin.call('POST', API.users, {
    what: 'user',
    which: [],
    current_password: server.password,
    data: { username, password: PASSWORD, scope: '/', perm },
  })
  expect(answer.status).toBe(201)
  return signIn(server.url, username, PASSWORD)
}

test('only the first administrator sees the first steps, until they are done @spec-7.39', async () => {
  expect(await steps(admin)).toEqual({
    isDue: true,
    changePassword: true,
    addPeople: true,
    hosts: [],
  })
  const response = fetch(server.url + API.firstSteps)
  expect((await response).status).toBe(401)
  const eva = await add('eva', {})
  expect(await outcome(eva.call('GET', API.firstSteps))).toBe('403 forbidden')
  const second = await add('second', { admin: true })
  expect(await steps(second)).toMatchObject({ isDue: false, hosts: [] })
  expect(await steps(admin)).toMatchObject({ isDue: true, addPeople: false })

  await admin.call('PUT', `${API.users}/1`, {
    what: 'user',
    which: ['password'],
    current_password: server.password,
    data: { id: 1, password: PASSWORD },
  })
  admin = await signIn(server.url, 'admin', PASSWORD)
  expect(await steps(admin)).toMatchObject({ isDue: true, changePassword: false })
})

test('the first steps ask for a change of a password from the configuration until it was changed', async () => {
  const hash = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
  const server = await startServer({ args: ['--password-hash', hash] })
  try {
    const admin = await signIn(server.url, 'admin', PASSWORD)
    expect(await steps(admin)).toMatchObject({ isDue: true, changePassword: true })
    const password = 'another horse battery'
    await admin.call('PUT', `${API.users}/1`, {
      what: 'user',
      which: ['password'],
      current_password: PASSWORD,
      data: { id: 1, password },
    })
    const again = await signIn(server.url, 'admin', password)
    expect(await steps(again)).toMatchObject({ changePassword: false })
  } finally {
    await server.stop()
  }
})

test('the first steps stay dismissed, and another administrator does not dismiss them @spec-7.39', async () => {
  const second = await signIn(server.url, 'second', PASSWORD)
  expect(await outcome(second.call('DELETE', API.firstSteps))).toBe('200')
  expect(await steps(admin)).toMatchObject({ isDue: true })
  expect(await outcome(admin.call('DELETE', API.firstSteps))).toBe('200')
  expect(await steps(admin)).toEqual({
    isDue: false,
    changePassword: false,
    addPeople: false,
    hosts: [],
  })
})
