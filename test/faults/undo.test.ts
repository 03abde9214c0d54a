/** Undoing where it is hard: across file systems, on a full disk, and of very many files at once. */
import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { JOURNAL_HEADER } from '#wire/journal.ts'
import { API } from '#wire/routes.ts'
import { type Client, outcome, signIn } from '../support/client.ts'
import { startOnSmallDisk } from '../support/disk.ts'
import { noMounts, seenBy, withMounts } from '../support/mounts.ts'
import { startServer } from '../support/server.ts'
import { temporaryFolder } from '../support/tree.ts'

const MIB = 1024 * 1024
let ends: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const end of ends.toReversed()) await end()
  ends = []
})

/** @returns the number of the journal's entry */
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
    const server = await startServer({
      root,
      program: withMounts(root, [{ at: 'disk', sizeMiB: 32 }]),
    })
    ends.push(folder.remove, () => server.stop())
    const admin = await signIn(server.url, 'admin', server.password)
    return {
      admin,
      disk: (name: string) => seenBy(server.pid, join(root, name)),
      /** Runs a program where the mounts are. @returns what it complained of, or `done` */
      inside: (...words: string[]) => {
        const spaces = process.getuid?.() === 0 ? ['-m'] : ['-U', '-m']
        const enter = ['nsenter', '-t', `${server.pid}`, ...spaces, `--wd=${root}`]
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

  test('the removed and replaced files of a mount are kept there, and come back', async () => {
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

  test('a mount that keeps something can be unmounted, and its trash waits for it', async () => {
    const { admin, disk, inside } = await open()
    await change(admin, 'POST', '/disk/new', 'one')
    const removed = await change(admin, 'DELETE', '/disk/new')
    expect(readdirSync(disk('disk'))).toEqual(['.filemgr'])
    expect(inside('umount', 'disk')).toBe('done')
    expect(await undo(admin, removed)).toBe('503 unavailable')
    expect(inside('mount', '-t', 'tmpfs', 'tmpfs', 'disk')).toBe('done')
    expect(await undo(admin, removed)).toBe('404 expired')
  })

  test('a file that is deleted permanently leaves nothing on a mount', async () => {
    const { admin, disk } = await open()
    await change(admin, 'POST', '/disk/new', 'one')
    await change(admin, 'DELETE', '/disk/new')
    expect(await outcome(admin.call('DELETE', `${API.trash}?all=true`))).toBe('204')
    expect(readdirSync(disk('disk'))).toEqual([])
    expect(readdirSync(disk('.filemgr/trashes'))).toEqual([])
  })

  test('a full mount gives up what is kept on it, and nothing of other disks', async () => {
    const { admin, disk } = await open()
    await change(admin, 'DELETE', '/file')
    const half = new Uint8Array(20 * MIB).fill(1)
    await change(admin, 'POST', '/disk/large', half)
    await change(admin, 'DELETE', '/disk/large')
    await change(admin, 'POST', '/disk/other', half)
    const kept = (await (await admin.call('GET', API.trash)).json()) as { path: string }[]
    expect(kept.map(({ path }) => path)).toEqual(['/file'])
    expect(readdirSync(disk('disk')).filter((name) => name !== '.filemgr')).toEqual(['other'])
  })
})

test.skipIf(noMounts !== undefined)(
  'on a full disk a deletion is undone, until the trash has given way',
  async () => {
    const disk = await startOnSmallDisk('8m', { args: ['--trash-share', '100'] })
    ends.push(() => disk.stop())
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
    await change(admin, 'POST', '/large', large.slice(0, 3 * MIB))
    expect(await undo(admin, again)).toBe('404 expired')
  },
)

test.skipIf(noMounts !== undefined)(
  'an upload takes nothing of the trash before its bytes come, and then what they need',
  async () => {
    const disk = await startOnSmallDisk('64m', { args: ['--upload-limit', '60MiB'] })
    ends.push(() => disk.stop())
    const admin = await signIn(disk.server.url, 'admin', disk.server.password)
    const half = new Uint8Array(40 * MIB).fill(1)
    await change(admin, 'POST', '/deleted', half)
    await change(admin, 'DELETE', '/deleted')
    const kept = async () =>
      ((await (await admin.call('GET', API.trash)).json()) as unknown[]).length
    const announce = (name: string, bytes: number) =>
      outcome(
        admin.call('POST', `${API.tus}/${name}`, undefined, { 'Upload-Length': String(bytes) }),
      )
    expect(await announce('most', 61 * MIB)).toBe('413 tooLarge')
    expect(await announce('large', half.length)).toBe('201')
    expect(await announce('second', half.length)).toBe('201')
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
  ends.push(() => server.stop())
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

test('an undo that is killed leaves nothing half undone, and can be repeated', async () => {
  const folder = temporaryFolder()
  ends.push(folder.remove)
  const root = join(folder.path, 'root')
  mkdirSync(join(root, 'from'), { recursive: true })
  for (let file = 0; file < 300; file += 1) writeFileSync(join(root, `from/${file}`), `${file}`)
  const database = join(folder.path, 'f.db')
  let server = await startServer({ root, database })
  ends.push(() => server.stop())
  const { password } = server
  let admin = await signIn(server.url, 'admin', password)
  const count = (name: string) => readdirSync(join(root, name)).length
  mkdirSync(join(root, 'into'))
  const merged = await change(admin, 'PATCH', rename('/from', '/into'))
  for (let kill = 0; kill < UNDO_KILLS; kill += 1) {
    const undone = undo(admin, merged).catch(() => 'killed')
    await until(() => existsSync(join(root, 'from')) && count('from') > 50 * kill)
    server.kill('SIGKILL')
    const answer = await undone
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
  expect(await undo(admin, merged)).toBe('200')
  expect([count('from'), count('into')]).toEqual([300, 0])
}, 120_000)

/** Waits without a pause of its own, so that a kill comes while the undo runs. */
async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!holds() && Date.now() < end) await new Promise(setImmediate)
}
