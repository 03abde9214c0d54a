/**
 * The disk of the served folder is mounted late, or at another path: nothing is changed or served without it, and trash,
 * versions, journal and unfinished uploads are there again with it.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry, TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const ABSENT = 'is not the folder that was served here before'

let folder: ReturnType<typeof temporaryFolder>
let server: TestServer | undefined
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('root'))
})
afterEach(async () => {
  await server?.stop()
  server = undefined
  folder.remove()
})

const at = (...names: string[]) => join(folder.path, ...names)
async function start(root = 'root', args: string[] = []): Promise<TestServer> {
  await server?.stop()
  server = await startServer({ root: at(root), database: at('filemgr.db'), args })
  return server
}
const admin = () => signIn(server?.url ?? '', 'admin', PASSWORD)
const run = (...args: string[]) =>
  runFilemgr([...args, '--database', at('filemgr.db')], { home: folder.path })
const kept = async (who: Client): Promise<string[]> => {
  const items: TrashItemInfo[] = await (await who.call('GET', API.trash)).json()
  return items.map(({ path }) => path)
}
const versionsOf = async (who: Client, path: string): Promise<number> => {
  const versions: TrashItemInfo[] = await (await who.call('GET', `${API.versions}${path}`)).json()
  return versions.length
}
const HEADERS = { 'Tus-Resumable': '1.0.0' }

/** A root with an item in the trash, a version, an entry to undo, and an unfinished upload. */
async function fill(): Promise<void> {
  const who = await admin()
  await who.call('POST', `${API.resources}/gone`, 'gone')
  await who.call('DELETE', `${API.resources}/gone`)
  await who.call('POST', `${API.resources}/saved`, 'first')
  await who.call('PUT', `${API.resources}/saved`, 'second')
  const upload = { ...HEADERS, 'Upload-Length': String(2 * 2 ** 20) }
  expect(await outcome(who.call('POST', `${API.tus}/begun`, undefined, upload))).toBe('201')
  await expectFilled(who)
}

async function expectFilled(who: Client): Promise<void> {
  expect(await kept(who)).toEqual(['/gone'])
  expect(await versionsOf(who, '/saved')).toBe(1)
  const entries: JournalEntry[] = await (await who.call('GET', API.journal)).json()
  expect(entries.map(({ path }) => path)).toContain('/gone')
  expect((await who.call('HEAD', `${API.tus}/begun`, undefined, HEADERS)).status).toBe(200)
}

/** The disk is not mounted: an empty folder is at its path. */
function unplug(): void {
  renameSync(at('root'), at('disk'))
  mkdirSync(at('root'))
}
function plugIn(): void {
  rmSync(at('root'), { recursive: true })
  renameSync(at('disk'), at('root'))
}

test('without its disk nothing is served or changed, and with it everything is there', async () => {
  await start()
  await fill()
  await server?.stop()
  unplug()
  const { url, output } = await start()
  expect(output()).toContain(`${at('root')} ${ABSENT}`)
  const visitor = anonymous(url)
  for (const path of ['/', API.ready, `${API.resources}/`, '/share/abc']) {
    const answer = await visitor.call('GET', path)
    expect([path, answer.status]).toEqual([path, 503])
    // Strangers learn no path.
    expect(await answer.text()).toMatch(new RegExp(`^The served folder ${ABSENT}`))
  }
  expect((await visitor.call('GET', API.health)).status).toBe(200)
  expect(readdirSync(at('root'))).toEqual([])
  plugIn()
  const served = await server?.says(/is there now\.\n(?:.*\n)*?(http\S+)/)
  await expectFilled(await signIn(served ?? '', 'admin', PASSWORD))
})

test('commands change nothing without the disk, and doctor says so', async () => {
  await start()
  await fill()
  await server?.stop()
  unplug()
  const pruned = await run('journal', 'prune', '--all')
  expect(pruned.stderr).toContain(ABSENT)
  expect(pruned.stdout).toContain('0 items')
  const doctor = await run('doctor', at('root'))
  expect(doctor.stdout).toContain(ABSENT)
  expect(readdirSync(at('root'))).toEqual([])
  plugIn()
  await start()
  await expectFilled(await admin())
})

test('a root at another path keeps its trash, versions, journal and unfinished uploads', async () => {
  await start()
  await fill()
  await server?.stop()
  renameSync(at('root'), at('moved'))
  await start('moved')
  await expectFilled(await admin())
  expect(server?.output()).toContain('were moved along')
})

test('another folder at another path takes nothing along, and the first one keeps its own', async () => {
  await start()
  await fill()
  mkdirSync(at('other'))
  await start('other')
  expect(await kept(await admin())).toEqual([])
  await start()
  await expectFilled(await admin())
})

test('a copy of a root is another root', async () => {
  await start()
  await fill()
  await server?.stop()
  cpSync(at('root'), at('copy'), { recursive: true })
  await start('copy')
  expect(await kept(await admin())).toEqual([])
  await start()
  await expectFilled(await admin())
})

test('--new-root serves another folder at the path, and the first one comes back with its trash', async () => {
  await start()
  await fill()
  await server?.stop()
  unplug()
  await start('root', ['--new-root'])
  expect(await kept(await admin())).toEqual([])
  writeFileSync(at('root/new'), 'new')
  await start()
  expect(await outcome((await admin()).call('GET', `${API.raw}/new`))).toBe('200')
  await server?.stop()
  rmSync(at('root'), { recursive: true })
  renameSync(at('disk'), at('root'))
  await start('root', ['--new-root'])
  await expectFilled(await admin())
})

test('a disk that disappears under a running server makes it not ready', async () => {
  const { url } = await start()
  unplug()
  const answer = await anonymous(url).call('GET', API.ready)
  expect([answer.status, await answer.text()]).toEqual([
    503,
    expect.stringContaining(`The served folder ${ABSENT}`),
  ])
  plugIn()
  expect((await anonymous(url).call('GET', API.ready)).status).toBe(200)
})
