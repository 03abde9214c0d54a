/**
 * Jobs continue after a kill: the server is killed several times during a copy, a move to another file system, a merge and
 * a removal. Incomplete results are never visible, each change has its journal entry, and the job ends.
 *
 * `FILEMGR_JOB_KILLS` is the number of kills during each job.
 */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job, JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { countFiles, temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { control, ended, jobOf, planned, started, until } from '../support/server/jobs.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'
import { digest } from './expected-state.ts'

const KILLS = Number(process.env.FILEMGR_JOB_KILLS ?? 3)
const FILES = 240
const FILE_BYTES = 20_000
const END_STATES: readonly Job['state'][] = ['done', 'failed', 'cancelled']

if (noMounts) process.stdout.write(`${noMounts}\n`)

let folder: ReturnType<typeof temporaryFolder>
let server: TestServer | undefined
let password = ''
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder.path, 'root'))
  password = ''
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  folder.remove()
})

/** Starts the server, each time with the same folder and database. */
async function start(program?: [string, ...string[]]): Promise<Client> {
  const options = { root: join(folder.path, 'root'), database: join(folder.path, 'f.db') }
  server = await startServer({ ...options, ...(program ? { program } : {}) })
  password ||= server.password
  return signIn(server.url, 'admin', password)
}

async function kill(): Promise<void> {
  server?.kill('SIGKILL')
  await server?.stop()
}

function contentOf(at: number): Buffer {
  return Buffer.alloc(FILE_BYTES, `${at} `)
}

/** A folder with folders of files. */
function fill(path: string, count = FILES): void {
  for (let at = 0; at < count; at += 1) {
    const inside = join(path, `d${at % 7}`)
    mkdirSync(inside, { recursive: true })
    writeFileSync(join(inside, `f${at}`), contentOf(at))
  }
}

/** The paths below a folder, each with the digest of its file, or `folder`. */
function treeOf(path: string): Record<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  const all = names.filter((name) => !name.split('/').includes('.filemgr'))
  return Object.fromEntries(
    all.map((name) => {
      try {
        return [name, digest(readFileSync(join(path, name)))]
      } catch {
        return [name, 'folder']
      }
    }),
  )
}

/** The number of journal entries that are begun and not done. */
function unfinished(): number {
  using db = new Database(join(folder.path, 'f.db'), { readonly: true })
  return db.query('SELECT count(*) FROM journal WHERE is_done = 0').values()[0]?.[0] as number
}

/** The state of a job in the database, which no server may have open. */
function storedStateOf(id: number): Job['state'] {
  using db = new Database(join(folder.path, 'f.db'), { readonly: true })
  return db.query('SELECT state FROM jobs WHERE id = ?').values(id)[0]?.[0] as Job['state']
}

interface KillOptions {
  /** Called after each kill and at the end: checks what is visible. */
  check?: (isOver: boolean) => void
  program?: [string, ...string[]]
  /** The number of processed files on the disk, for a job that reports its files only at its end. */
  filesDone?: () => number
}

/** Runs a job while the server is killed, each time after more files. At least one kill must interrupt the job. */
async function underKills(
  request: JobRequest,
  { check = () => undefined, program, filesDone }: KillOptions = {},
): Promise<{ job: Job; client: Client }> {
  let client = await start(program)
  const { id } = await started(client, request)
  let interruptions = 0
  for (let number = 1; number <= KILLS; number += 1) {
    const filesBeforeKill = (number * FILES) / (KILLS + 1)
    if (filesDone) while (filesDone() < filesBeforeKill) await new Promise(setImmediate)
    else {
      await until(
        client,
        id,
        (now) => END_STATES.includes(now.state) || now.filesDone >= filesBeforeKill,
      )
    }
    await kill()
    if (!END_STATES.includes(storedStateOf(id))) interruptions += 1
    client = await start(program)
    check(END_STATES.includes((await jobOf(client, id)).state))
  }
  // On a fast disk, the job may end before the last kill.
  expect(interruptions).toBeGreaterThan(0)
  const job = await ended(client, id)
  expect(unfinished()).toBe(0)
  check(true)
  return { job, client }
}

const inRoot = (...names: string[]) => join(folder.path, 'root', ...names)

describe('a server that is killed', () => {
  test('a killed server continues a copy where it stopped, and the copy is visible only when it is complete @spec-7.56', async () => {
    fill(inRoot('a'))
    const wanted = treeOf(inRoot('a'))
    const { job, client } = await underKills(
      { kind: 'copy', items: [{ path: '/a' }], to: '/to' },
      {
        check(isOver) {
          const found = existsSync(inRoot('to/a')) ? treeOf(inRoot('to/a')) : {}
          if (isOver || Object.keys(found).length > 0) expect(found).toEqual(wanted)
        },
      },
    )
    expect([job.state, job.failed, job.filesDone]).toEqual(['done', 0, job.files])
    expect(treeOf(inRoot('a'))).toEqual(wanted)
    expect(existsSync(inRoot('.filemgr/jobs'))).toBe(false)
    // The creation of the destination folder may be a journal entry of its own, by a process that was killed.
    for (const id of job.entries.toReversed()) {
      expect(await outcome(client.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
    }
    expect(existsSync(inRoot('to'))).toBe(false)
  }, 120_000)

  test('a killed server continues with a job of many entries; each is copied once', async () => {
    mkdirSync(inRoot('many'))
    for (let at = 0; at < FILES; at += 1) writeFileSync(inRoot('many', `f${at}`), contentOf(at))
    const items = Array.from({ length: FILES }, (_, at) => ({ path: `/many/f${at}` }))
    const { job } = await underKills({
      kind: 'copy',
      items: items.map((item) => ({ ...item, decision: 'keepBoth' })),
      to: '/many',
    })
    expect([job.state, job.failed]).toEqual(['done', 0])
    expect(readdirSync(inRoot('many'))).toHaveLength(2 * FILES)
    expect(new Set(job.entries).size).toBe(FILES)
  }, 120_000)

  test('a server that is killed after a change and before it stores the state of its item copies nothing twice', async () => {
    writeFileSync(inRoot('a'), 'a')
    const client = await start()
    const request: JobRequest = {
      kind: 'copy',
      items: [{ path: '/a', decision: 'keepBoth' }],
      to: '/',
    }
    const { id } = await started(client, request)
    const done = await ended(client, id)
    await kill()
    {
      // The state after such a kill: the journal has the entry, and the row of the item does not.
      using db = new Database(join(folder.path, 'f.db'))
      db.exec("UPDATE jobs SET state = 'running', ended_ms = 0")
      db.exec("UPDATE job_items SET state = 'running', entry = 0")
    }
    const again = await ended(await start(), id)
    expect([again.state, again.entries]).toEqual(['done', done.entries])
    expect(readdirSync(inRoot()).sort()).toEqual(['.filemgr', 'a', 'a(1)'])
  }, 60_000)

  test('a killed server continues with a merge, and no file is lost or incomplete', async () => {
    // A merge is fast: with more files, each kill comes long before its end.
    fill(inRoot('from/a'), 4 * FILES)
    fill(inRoot('to/a'), 50)
    writeFileSync(inRoot('to/a/d0/f0'), 'old')
    writeFileSync(inRoot('to/a/d0/own'), 'own')
    const wanted = { ...treeOf(inRoot('from/a')), 'd0/own': digest(Buffer.from('own')) }
    const { job } = await underKills(
      { kind: 'move', items: [{ path: '/from/a', decision: 'replace' }], to: '/to' },
      { filesDone: () => 4 * FILES - countFiles(inRoot('from/a')) },
    )
    expect([job.state, job.failed]).toEqual(['done', 0])
    expect(treeOf(inRoot('to/a'))).toEqual(wanted)
    expect(existsSync(inRoot('from/a'))).toBe(false)
  }, 120_000)

  test('a killed server continues with a removal', async () => {
    mkdirSync(inRoot('many'))
    for (let at = 0; at < FILES; at += 1) writeFileSync(inRoot('many', `f${at}`), 'x')
    const items = Array.from({ length: FILES }, (_, at) => ({ path: `/many/f${at}` }))
    const { job, client } = await underKills({ kind: 'delete', items })
    expect([job.state, job.failed]).toEqual(['done', 0])
    expect(readdirSync(inRoot('many'))).toEqual([])
    for (const id of job.entries) {
      expect(await outcome(client.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
    }
    expect(readdirSync(inRoot('many'))).toHaveLength(FILES)
  }, 120_000)

  test('after a kill, a paused job stays paused, and the staged copies of jobs that no longer exist are removed', async () => {
    // More files than a job copies between two requests.
    fill(inRoot('a'), 4 * FILES)
    const client = await start()
    const { id } = await started(client, { kind: 'copy', items: [{ path: '/a' }], to: '/to' })
    await until(client, id, ({ filesDone }) => filesDone > 0)
    await control(client, id, 'pause')
    await until(client, id, ({ state }) => state === 'paused')
    await kill()
    const again = await start()
    expect((await jobOf(again, id)).state).toBe('paused')
    expect(readdirSync(inRoot('.filemgr/jobs'))).toHaveLength(1)
    await kill()
    {
      using db = new Database(join(folder.path, 'f.db'))
      db.exec('PRAGMA foreign_keys = ON; DELETE FROM jobs')
    }
    await start()
    while (existsSync(inRoot('.filemgr/jobs'))) await Bun.sleep(20)
  }, 60_000)
})

test('a server that receives SIGTERM interrupts its jobs, and the next server continues them', async () => {
  fill(inRoot('a'), 4 * FILES)
  const client = await start()
  const { id } = await started(client, { kind: 'copy', items: [{ path: '/a' }], to: '/to' })
  await until(client, id, ({ filesDone }) => filesDone > 0)
  expect(await server?.stop()).toBe(0)
  expect(existsSync(inRoot('to/a'))).toBe(false)
  const job = await ended(await start(), id)
  expect([job.state, job.failed]).toEqual(['done', 0])
  expect(treeOf(inRoot('to/a'))).toEqual(treeOf(inRoot('a')))
}, 60_000)

describe.skipIf(noMounts !== undefined)('between two file systems', () => {
  const program = (sizeMiB: number) =>
    withMounts(join(folder.path, 'root'), [{ at: 'disk', sizeMiB }])
  /** A path in the mount, as the server sees it. */
  const seen = (...names: string[]) => seenBy(server?.pid ?? 0, inRoot(...names))

  test('a move between two file systems moves every file, and is undone completely', async () => {
    fill(inRoot('a'))
    const wanted = treeOf(inRoot('a'))
    const client = await start(program(64))
    const request: JobRequest = { kind: 'move', items: [{ path: '/a' }], to: '/disk' }
    expect((await planned(client, request)).isInstant).toBe(false)
    const job = await ended(client, (await started(client, request)).id)
    expect([job.state, job.failed, job.filesDone]).toEqual(['done', 0, job.files])
    expect(treeOf(seen('disk/a'))).toEqual(wanted)
    expect(existsSync(inRoot('a'))).toBe(false)
    expect(readdirSync(seen('disk'))).toEqual(['a'])
    const [id] = job.entries
    expect(await outcome(client.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
    expect(treeOf(inRoot('a'))).toEqual(wanted)
  }, 60_000)

  test('a killed move leaves the source complete, and continues where it stopped @spec-7.56', async () => {
    fill(inRoot('a'))
    const wanted = treeOf(inRoot('a'))
    // Unlike a tmpfs, a bind-mounted folder still exists after the mount namespace of the server has ended.
    const elsewhere = join(folder.path, 'elsewhere')
    mkdirSync(elsewhere)
    const bound = withMounts(join(folder.path, 'root'), [{ at: 'disk', folder: elsewhere }])
    const { job } = await underKills(
      { kind: 'move', items: [{ path: '/a' }], to: '/disk' },
      {
        check(isOver) {
          expect(existsSync(inRoot('a'))).toBe(!isOver)
          expect(treeOf(isOver ? join(elsewhere, 'a') : inRoot('a'))).toEqual(wanted)
        },
        program: bound,
      },
    )
    expect([job.state, job.failed]).toEqual(['done', 0])
    expect(readdirSync(elsewhere)).toEqual(['a'])
  }, 120_000)

  test('a full disk pauses a move with a reason, nothing of it is visible, and it can be cancelled', async () => {
    fill(inRoot('a'))
    const wanted = treeOf(inRoot('a'))
    const client = await start(program(2))
    const request: JobRequest = { kind: 'move', items: [{ path: '/a' }], to: '/disk' }
    expect((await planned(client, request)).freeAfter).toBeLessThan(0)
    const { id } = await started(client, request)
    const paused = await until(
      client,
      id,
      ({ state }) => state !== 'running' && state !== 'waiting',
    )
    expect([paused.state, paused.reason]).toEqual([
      'paused',
      'There is not enough space left on the disk.',
    ])
    expect(treeOf(inRoot('a'))).toEqual(wanted)
    expect(existsSync(seen('disk/a'))).toBe(false)
    expect(await outcome(control(client, id, 'cancel'))).toBe('200')
    expect((await ended(client, id)).state).toBe('cancelled')
    expect(readdirSync(seen('disk'))).toEqual([])
  }, 60_000)
})
