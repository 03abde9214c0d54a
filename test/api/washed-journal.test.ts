/** An account that tries to push its own changes out of the journal, so that no administrator can undo them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry, UndoResult } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const ENTRIES_MAX = 60
const VERSIONS_MAX = 10
const ROUNDS = 2

let folder: ReturnType<typeof temporaryFolder>
let root: string
let server: TestServer
let admin: Client
let mallory: Client
let beganAt: string
/** The content of the files of others, by path. */
let before: Record<string, string>

beforeAll(async () => {
  folder = temporaryFolder()
  root = join(folder.path, 'root')
  mkdirSync(join(root, 'team'), { recursive: true })
  for (const name of NAMES) writeFileSync(join(root, 'team', name), `the content of ${name}`)
  before = contentOf('team')
  await start()
  const data = {
    username: 'mallory',
    password: PASSWORD,
    scope: '/',
    perm: {
      create: true,
      rename: true,
      modify: true,
      delete: true,
      download: true,
      overwrite: true,
    },
    locale: 'en',
  }
  const body = { what: 'user', which: [], current_password: PASSWORD, data }
  expect((await admin.call('POST', API.users, body)).status).toBe(201)
  mallory = await signIn(server.url, 'mallory', PASSWORD)
  beganAt = new Date().toISOString()
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

const NAMES = ['deleted', 'saved', 'renamed', 'recreated', 'saved-often', 'replaced', 'moved-over']

test('undoing everything of a user works although the user has made many changes afterwards @limit-54', async () => {
  await attack()
  for (let round = 0; round < ROUNDS; round += 1) {
    await wash(round)
    // The limits of the journal are checked at the start, among other times.
    await server.stop()
    await start()
    mallory = await signIn(server.url, 'mallory', PASSWORD)
  }
  expect((await entriesOf('mallory')).length).toBeLessThanOrEqual(ENTRIES_MAX)
  const ofTeam = new Map(
    (await entriesOf('mallory'))
      .filter(({ path }) => path.startsWith('/team/'))
      .map(({ id, verb, path }) => [id, `${verb} ${path}`]),
  )
  const results = await undoAll()
  const problems = results
    .filter(({ id, fault }) => ofTeam.has(id) && fault !== '')
    .map(({ id, problem }) => `${ofTeam.get(id)}: ${problem}`)
  expect(problems).toEqual([])
  // New files of the account may stay: their entries leave first.
  expect(contentOf('team')).toMatchObject(before)
}, 300_000)

test('undoing everything of a user restores a file that was saved more often than versions are kept', async () => {
  await server.stop()
  await start([])
  mallory = await signIn(server.url, 'mallory', PASSWORD)
  writeFileSync(join(root, 'team', 'often'), 'the content of others')
  const since = new Date().toISOString()
  for (let at = 0; at < 3 * VERSIONS_MAX; at += 1) await done('PUT', 'team/often', `${at}`)
  while ((await versionsOf('team/often')) > VERSIONS_MAX) await Bun.sleep(50)
  const results = await undoAll(since)
  expect(results.map(({ problem }) => problem).filter((problem) => problem !== '')).toEqual([])
  expect(contentOf('team').often).toBe('the content of others')
}, 60_000)

async function attack(): Promise<void> {
  await done('DELETE', 'team/deleted')
  await done('PUT', 'team/saved', 'ransom')
  await done('PATCH', `team/renamed?action=rename&destination=${encodeURIComponent('/team/gone')}`)
  await done('DELETE', 'team/recreated')
  await done('POST', 'team/recreated', 'ransom')
  await done('POST', 'team/replaced?override=true', 'ransom')
  await done('POST', 'team/own', 'ransom')
  await done('DELETE', 'team/moved-over')
  await done(
    'PATCH',
    `team/own?action=rename&destination=${encodeURIComponent('/team/moved-over')}`,
  )
  for (let at = 0; at < 3 * VERSIONS_MAX; at += 1) await done('PUT', 'team/saved-often', `${at}`)
}

/** Makes several times as many changes as the journal keeps, of each kind that is quickly done. */
async function wash(round: number): Promise<void> {
  const many = Array.from({ length: ENTRIES_MAX }, (_, at) => at)
  const own = (name: string) => `own${round}-${name}`
  const rename = (from: string, to: string) =>
    done('PATCH', `${from}?action=rename&destination=${encodeURIComponent(`/${to}`)}`)
  await Promise.all([
    (async () => {
      await done('POST', own('saved'), 'x')
      for (const at of many) await done('PUT', own('saved'), `${at}`)
    })(),
    (async () => {
      for (const at of many) {
        await done('POST', own(`made${at}`), 'x')
        await done('PUT', own(`made${at}`), 'y')
      }
    })(),
    (async () => {
      for (const _ of many) {
        await done('POST', own('cycle'), 'x')
        await done('DELETE', own('cycle'))
      }
    })(),
    (async () => {
      await done('POST', own('a'), 'x')
      for (const _ of many) {
        await rename(own('a'), own('b'))
        await rename(own('b'), own('a'))
      }
    })(),
    (async () => {
      for (const _ of many) {
        await done('POST', `${own('folder')}/`)
        await done('DELETE', own('folder'))
      }
    })(),
    (async () => {
      await done('POST', own('undone'), 'x')
      const { headers } = await mallory.call('PUT', `${API.resources}/${own('undone')}`, 'y')
      const id = Number(headers.get('x-journal-id'))
      for (const at of many) {
        const verb = at % 2 === 0 ? 'undo' : 'redo'
        expect(await outcome(mallory.call('POST', `${API.journal}/${verb}`, { id }))).toBe('200')
      }
    })(),
  ])
}

async function done(method: string, path: string, body?: string): Promise<void> {
  const answer = await mallory.call(method, `${API.resources}/${path}`, body)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
}

async function start(limits = [`--journal-entries=${ENTRIES_MAX}`]): Promise<void> {
  server = await startServer({
    root,
    database: join(folder.path, 'filemgr.db'),
    args: [...limits, `--trash-versions=${VERSIONS_MAX}`],
  })
  admin = await signIn(server.url, 'admin', PASSWORD)
}

async function entriesOf(username: string): Promise<JournalEntry[]> {
  return (await admin.call('GET', `${API.journal}?username=${username}&limit=1000`)).json()
}

async function versionsOf(path: string): Promise<number> {
  const answer = await admin.call('GET', `${API.versions}/${path}`)
  return (await answer.json()).length
}

async function undoAll(since = beganAt): Promise<UndoResult[]> {
  const request = { username: 'mallory', since }
  const answer = await admin.call('POST', `${API.journal}/undo-all`, request)
  expect(answer.status).toBe(200)
  return answer.json()
}

function contentOf(name: string): Record<string, string> {
  const at = join(root, name)
  return Object.fromEntries(
    readdirSync(at)
      .sort()
      .map((file) => [file, readFileSync(join(at, file), 'utf8')]),
  )
}
