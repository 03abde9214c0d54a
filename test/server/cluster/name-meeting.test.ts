/** A server that starts asks the one that serves the folder to make names together, and looks where that one is. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Membership } from '#server/cluster/membership.ts'
import { openPostgres } from '#server/db/postgres/open-postgres.ts'
import type { PostgresDatabase } from '#server/db/postgres/postgres-database.ts'
import { ServerLeases } from '#server/db/postgres/server-leases.ts'
import { ownProcessId } from '#server/os/process-id.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { lacksBetween } from '#server/storage/probe.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import {
  POSTGRES_PASSWORD,
  postgresMissing,
  startPostgres,
  type TestPostgres,
} from '../../support/server/postgres.ts'
import { STORAGE_OPTIONS } from '../../support/storage/served.ts'

const ROOT = '/srv/files'
const RENEW_EVERY_MS = 200
/** The number of an earlier server that only its row shows. */
const EARLIER = 1

interface Process {
  db: PostgresDatabase
  member: Membership
  storage: LocalStorage
  /** Lets the time of its own clock pass. */
  pass(ms: number): void
}

describe.skipIf(postgresMissing() !== undefined)('a server that starts', () => {
  let postgres: TestPostgres
  let url: string
  let folder: ReturnType<typeof temporaryFolder>
  let opened: Process[]
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await closeAll()
    await postgres.remove()
  })
  beforeEach(async () => {
    await closeAll()
    folder = temporaryFolder()
    opened = []
    url = await postgres.create()
  })
  async function closeAll(): Promise<void> {
    for (const { db, member, storage } of opened ?? []) {
      await member.leave()
      await db.close()
      storage.close()
    }
    folder?.remove()
  }

  /** @param name of the folder that it serves at the path */
  async function enter(name = 'root'): Promise<Process> {
    const path = join(folder.path, name)
    mkdirSync(path, { recursive: true })
    const storage = await LocalStorage.open(path, STORAGE_OPTIONS)
    const { trash, sharing } = storage.can
    if (!trash || !sharing) throw new Error('The folder can be written.')
    const db = await openPostgres({ url, password: POSTGRES_PASSWORD })
    let passedMs = 0
    const nowMs = () => performance.now() + passedMs
    const member = await Membership.join(new ServerLeases(db), {
      folder: trash,
      meetings: sharing,
      root: ROOT,
      isServing: true,
      nowMs,
      renewEveryMs: RENEW_EVERY_MS,
    })
    const pass = (ms: number) => {
      passedMs += ms
    }
    const process = { db, member, storage, pass }
    opened.push(process)
    return process
  }

  /** Makes the earlier server one of another machine. */
  const toOtherMachine = () => {
    const other = JSON.stringify({ ...ownProcessId(), boot: 'another' })
    return postgres.run(url, `UPDATE servers SET process = '${other}' WHERE number = ${EARLIER}`)
  }
  const column = async (name: string) =>
    (await postgres.run(url, `SELECT ${name} FROM servers WHERE number = ${EARLIER}`))[0]?.[name]
  const until = async (name: string, isWanted: (value: unknown) => boolean) => {
    while (!isWanted(await column(name))) await Bun.sleep(20)
  }

  test('makes names together with the one that serves longest, and leaves nothing', async () => {
    const first = await enter()
    const second = await enter()
    const third = await enter()
    expect(await first.member.earlier()).toBe('none')
    expect(await first.member.meetEarlier()).toBeUndefined()
    expect(await third.member.earlier()).toBe('here')
    // Two ask the same one.
    for (const met of await Promise.all([
      second.member.meetEarlier(),
      third.member.meetEarlier(),
    ])) {
      if (!met || 'failure' in met) throw new Error(`They have not met: ${met?.failure}`)
      expect(lacksBetween(met.own, met.other)).toEqual([])
      expect(met.own.created.length + met.other.created.length).toBe(40)
      expect(met.own.renamed.length + met.other.renamed.length).toBe(40)
    }
    const work = join(folder.path, 'root/.filemgr/work')
    expect(readdirSync(work).flatMap((name) => readdirSync(join(work, name)))).toEqual([])
    expect(await column('asked')).toBe('')
  }, 30_000)

  test('is told if the other one does not answer in time, and asks no more', async () => {
    const first = await enter()
    const second = await enter()
    // It renews its lease no more, which lasts nevertheless.
    await first.member.leave()
    await postgres.run(
      url,
      `INSERT INTO servers (number, name, root, is_serving, process, lease_until) OVERRIDING SYSTEM VALUE
       SELECT ${EARLIER}, '${first.member.writer.split('-')[0]}', root, 1, process, 'infinity' FROM servers`,
    )
    const met = second.member.meetEarlier()
    await until('asked', (asked) => asked !== '')
    const asked = String(await column('asked'))
    second.pass(31_000)
    expect(await met).toEqual({ failure: expect.stringContaining('did not try the file system') })
    expect(await column('asked')).toBe('')
    expect(existsSync(join(folder.path, 'root/.filemgr/work', asked))).toBe(false)
  }, 30_000)

  test('goes on alone if the other one ends', async () => {
    const first = await enter()
    const second = await enter()
    const met = second.member.meetEarlier()
    await until('asked', (asked) => asked !== '')
    await first.member.leave()
    expect(await met).toBeUndefined()
    expect(await second.member.earlier()).toBe('none')
  }, 30_000)

  test('is answered although another one has asked before, and has ended since', async () => {
    await enter()
    const second = await enter()
    const absent = `${'0'.repeat(24)}/${'1'.repeat(24)}`
    await postgres.run(url, `UPDATE servers SET asked = '${absent}' WHERE number = ${EARLIER}`)
    await until('answer', (answer) => answer !== '')
    expect(String(await column('answer'))).toContain('could not make files there')
    const met = await second.member.meetEarlier()
    expect(met && 'own' in met).toBe(true)
  }, 30_000)

  test('finds out that one of another machine serves another folder at the path', async () => {
    const first = await enter('elsewhere')
    const second = await enter('root')
    await toOtherMachine()
    expect(await second.member.earlier()).toBe('elsewhere')
    expect(await column('number')).toBe('1')
    expect(first.member.holds(first.member.writer)).toBe(true)
  }, 30_000)

  test('does not wait for one that has ended, on this machine or on another one', async () => {
    const first = await enter('elsewhere')
    const second = await enter('root')
    await first.member.leave()
    const process = JSON.stringify({ ...ownProcessId(), pid: 2 ** 22 + 1, boot: 'another' })
    await postgres.run(
      url,
      `INSERT INTO servers (number, name, root, is_serving, process, lease_until) OVERRIDING SYSTEM VALUE
       VALUES (${EARLIER}, '${'0'.repeat(24)}', '${ROOT}', 1, '${process}', clock_timestamp() + interval '1 s')`,
    )
    // Its lease is not renewed.
    expect(await second.member.earlier()).toBe('none')
    const here = JSON.stringify({ ...ownProcessId(), pid: 2 ** 22 + 1 })
    await postgres.run(
      url,
      `INSERT INTO servers (number, name, root, is_serving, process, lease_until) OVERRIDING SYSTEM VALUE
       VALUES (${EARLIER}, '${'0'.repeat(24)}', '${ROOT}', 1, '${here}', 'infinity')`,
    )
    expect(await second.member.earlier()).toBe('none')
  }, 30_000)
})
