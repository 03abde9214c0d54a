/** Undo across file systems, on a full disk, of very many files, and interrupted by kills. */

import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { ageTrash } from '../support/storage/aged-trash.ts'
import { startOnSmallDisk } from '../support/system/disk.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

const MIB = 1024 * 1024
let cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  cleanups = []
})

/** Makes a change. @returns the id of its journal entry */
async function change(who: Client, method: string, path: string, body?: BodyInit): Promise<number> {
  const answer = await who.call(method, API.resources + path, body)
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
  return Number(answer.headers.get(JOURNAL_HEADER))
}
const rename = (from: string, to: string) =>
  `${from}?action=rename&override=true&destination=${encodeURIComponent(to)}`
const undo = (who: Client, id: number) => outcome(who.call('POST', `${API.journal}/undo`, { id }))

describe.skipIf(noMounts !== undefined)('across file systems', () => {
  async function open() {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(join(root, 'folder/inner'), { recursive: true })
    for (const name of ['file', 'folder/inner/deep']) writeFileSync(join(root, name), name)
    const database = join(folder.path, 'own.db')
    const server = await startServer({
      root,
      database,
      program: withMounts(root, [{ at: 'disk', sizeMiB: 32 }]),
    })
    cleanups.push(folder.remove, () => server.stop())
    const admin = await signIn(server.url, 'admin', server.password)
    return {
      admin,
      database,
      disk: (name: string) => seenBy(server.pid, join(root, name)),
      /** Runs a program in the mount namespace of the server. @returns `done`, or its error output */
      runInNamespace: (...words: string[]) => {
        const namespaces = process.getuid?.() === 0 ? ['-m'] : ['-U', '-m']
        const enter = ['nsenter', '-t', `${server.pid}`, ...namespaces, `--wd=${root}`]
        const { exitCode, stderr } = Bun.spawnSync([...enter, ...words])
        return exitCode === 0 ? 'done' : stderr.toString()
      },
    }
  }

  test('a move to another file system is undone completely', async () => {
    const { admin, disk } = await open()
    const file = await change(admin, 'PATCH', rename('/file', '/disk/file'))
    const folder = await change(admin, 'PATCH', rename('/folder', '/disk/folder'))
    expect(readdirSync(disk('disk')).sort()).toEqual(['file', 'folder'])
    expect(await undo(admin, folder)).toBe('200')
    expect(await undo(admin, file)).toBe('200')
    expect(readFileSync(disk('file'), 'utf8')).toBe('file')
    expect(readFileSync(disk('folder/inner/deep'), 'utf8')).toBe('folder/inner/deep')
    expect(readdirSync(disk('disk'))).toEqual([])
  })

  test('removed and replaced files of a mount are kept on it, and an undo restores them', async () => {
    const { admin, disk } = await open()
    await change(admin, 'POST', '/disk/new', 'one')
    const saved = await change(admin, 'PUT', '/disk/new', 'two')
    expect(await undo(admin, saved)).toBe('200')
    expect(readFileSync(disk('disk/new'), 'utf8')).toBe('one')
    const removed = await change(admin, 'DELETE', '/disk/new')
    const [kept] = (await (await admin.call('GET', API.trash)).json()) as { path: string }[]
    expect(kept?.path).toBe('/disk/new')
    expect(await (await admin.call('GET', `${API.resources}/disk/`)).json()).toMatchObject({
      items: [],
    })
    expect(await undo(admin, removed)).toBe('200')
    expect(readFileSync(disk('disk/new'), 'utf8')).toBe('one')
  })

  test('a mount with trash can be unmounted; then an undo is unavailable, also with another file system there', async () => {
    const { admin, disk, runInNamespace } = await open()
    await change(admin, 'POST', '/disk/new', 'one')
    const removed = await change(admin, 'DELETE', '/disk/new')
    expect(readdirSync(disk('disk'))).toEqual(['.filemgr'])
    expect(runInNamespace('umount', 'disk')).toBe('done')
    expect(await undo(admin, removed)).toBe('503 unavailable')
    expect(runInNamespace('mount', '-t', 'tmpfs', 'tmpfs', 'disk')).toBe('done')
    expect(await undo(admin, removed)).toBe('503 unavailable')
  })

  test('a file that is deleted permanently leaves nothing on a mount', async () => {
    const { admin, disk } = await open()
    await change(admin, 'POST', '/disk/new', 'one')
    await change(admin, 'DELETE', '/disk/new')
    expect(await outcome(admin.call('DELETE', `${API.trash}?all=true`))).toBe('204')
    expect(readdirSync(disk('disk'))).toEqual([])
    expect(readdirSync(disk('.filemgr/trashes'))).toEqual([])
  })

  test('a full mount frees the space of its own trash, and not of the trash of other file systems', async () => {
    const { admin, disk, database } = await open()
    await change(admin, 'DELETE', '/file')
    const half = new Uint8Array(20 * MIB).fill(1)
    await change(admin, 'POST', '/disk/large', half)
    await change(admin, 'DELETE', '/disk/large')
    ageTrash(database)
    await change(admin, 'POST', '/disk/other', half)
    const kept = (await (await admin.call('GET', API.trash)).json()) as { path: string }[]
    expect(kept.map(({ path }) => path)).toEqual(['/file'])
    expect(readdirSync(disk('disk')).filter((name) => name !== '.filemgr')).toEqual(['other'])
  })
})

test.skipIf(noMounts !== undefined)(
  'on a full disk a deletion can be undone, until its space is needed',
  async () => {
    const disk = await startOnSmallDisk('8m', { args: ['--trash-share', '100'] })
    cleanups.push(() => disk.stop())
    const admin = await signIn(disk.server.url, 'admin', disk.server.password)
    const large = new Uint8Array(4 * MIB).fill(1)
    await change(admin, 'POST', '/deleted', large)
    const first = await change(admin, 'DELETE', '/deleted')
    let part = 0
    for (let size = 2 * MIB; size >= 64 * 1024; size /= 2) {
      await change(admin, 'POST', `/fill${part}`, large.slice(0, size - 8192))
      part += 1
    }
    expect(await undo(admin, first)).toBe('200')
    const again = await change(admin, 'DELETE', '/deleted')
    ageTrash(disk.database)
    await change(admin, 'POST', '/large', large.slice(0, 3 * MIB))
    expect(await undo(admin, again)).toBe('404 expired')
  },
)

test.skipIf(noMounts !== undefined)(
  'an upload frees space of the trash for received bytes, and not for its declared length',
  async () => {
    const disk = await startOnSmallDisk('64m', { args: ['--upload-limit', '60MiB'] })
    cleanups.push(() => disk.stop())
    const admin = await signIn(disk.server.url, 'admin', disk.server.password)
    const half = new Uint8Array(40 * MIB).fill(1)
    await change(admin, 'POST', '/deleted', half)
    await change(admin, 'DELETE', '/deleted')
    ageTrash(disk.database)
    const kept = async () =>
      ((await (await admin.call('GET', API.trash)).json()) as unknown[]).length
    const create = (name: string, bytes: number) =>
      outcome(
        admin.call('POST', `${API.tus}/${name}`, undefined, { 'Upload-Length': String(bytes) }),
      )
    expect(await create('most', 61 * MIB)).toBe('413 tooLarge')
    expect(await create('large', half.length)).toBe('201')
    // What is declared and not sent counts.
    expect(await create('second', half.length)).toBe('507 noSpace')
    expect(await kept()).toBe(1)
    const sent = await admin.call('PATCH', `${API.tus}/large`, half, {
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    })
    expect(sent.status).toBe(204)
    expect(await kept()).toBe(0)
  },
)

test('a removal and a merge of 10 000 files are undone', async () => {
  const server = await startServer()
  cleanups.push(() => server.stop())
  const admin = await signIn(server.url, 'admin', server.password)
  const disk = (name: string) => join(server.root, name)
  mkdirSync(disk('many'))
  mkdirSync(disk('into'))
  for (let file = 0; file < 10_000; file += 1) writeFileSync(disk(`many/${file}`), '')
  const removed = await change(admin, 'DELETE', '/many')
  expect(await undo(admin, removed)).toBe('200')
  expect(readdirSync(disk('many')).length).toBe(10_000)
  const merged = await change(admin, 'PATCH', rename('/many', '/into'))
  expect(readdirSync(disk('into')).length).toBe(10_000)
  expect(await undo(admin, merged)).toBe('200')
  expect(readdirSync(disk('many')).length).toBe(10_000)
  expect(readdirSync(disk('into')).length).toBe(0)
}, 300_000)

/** How often the server is killed in the middle of an undo. */
const UNDO_KILLS = 4

test('an undo that a kill interrupts is completed or reverted at the next start, and can be repeated', async () => {
  const folder = temporaryFolder()
  cleanups.push(folder.remove)
  const root = join(folder.path, 'root')
  mkdirSync(join(root, 'from'), { recursive: true })
  for (let file = 0; file < 300; file += 1) writeFileSync(join(root, `from/${file}`), `${file}`)
  const database = join(folder.path, 'f.db')
  let server = await startServer({ root, database })
  cleanups.push(() => server.stop())
  const { password } = server
  let admin = await signIn(server.url, 'admin', password)
  const count = (name: string) => readdirSync(join(root, name)).length
  mkdirSync(join(root, 'into'))
  const merged = await change(admin, 'PATCH', rename('/from', '/into'))
  let interruptions = 0
  for (let kill = 0; kill < UNDO_KILLS; kill += 1) {
    const undone = undo(admin, merged).catch(() => 'killed')
    await until(() => existsSync(join(root, 'from')) && count('from') > 50 * kill)
    server.kill('SIGKILL')
    const answer = await undone
    if (answer === 'killed') interruptions += 1
    await server.stop()
    server = await startServer({ root, database })
    admin = await signIn(server.url, 'admin', password)
    // A kill after the last step finds everything undone.
    if (answer === '200' || existsSync(join(root, 'from'))) {
      expect([count('from'), count('into')]).toEqual([300, 0])
      expect(await outcome(admin.call('POST', `${API.journal}/redo`, { id: merged }))).toBe('200')
    }
    expect(existsSync(join(root, 'from'))).toBe(false)
    expect(count('into')).toBe(300)
  }
  expect(interruptions).toBeGreaterThan(0)
  expect(await undo(admin, merged)).toBe('200')
  expect([count('from'), count('into')]).toEqual([300, 0])
}, 120_000)

/** Waits without pauses, so that the kill comes while the undo runs. */
async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!holds() && Date.now() < end) await new Promise(setImmediate)
}
