/** New files and folders take over the group and the access list of their folder, whichever way they arrive. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { API, urls } from '#wire/api/routes.ts'
import { parsePath } from '#wire/paths.ts'
import { tarOf } from '../support/files/made-archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, signIn } from '../support/server/client.ts'
import { filemgr } from '../support/server/executable.ts'
import { ended, started } from '../support/server/jobs.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import {
  accessList,
  noAccessLists,
  removeAccessLists,
  shareNewEntries,
} from '../support/system/access-lists.ts'

const GROUP = 100
const USER = 33
const FILE_MODE = 0o660
const isRoot = process.getuid?.() === 0
const probe = temporaryFolder()
const noLists = noAccessLists(probe.path)
probe.remove()
if (!isRoot) process.stdout.write('Only root can give a folder to another group for this test.\n')
if (noLists) process.stdout.write(`${noLists}\n`)

let app: TestApp
/** A folder of each test. */
let folder: string
beforeAll(async () => {
  const strict: [string, ...string[]] = ['sh', '-c', 'umask 077; exec "$@"', 'sh', ...filemgr()]
  app = await openTestApp({
    program: strict,
    args: ['--file-mode', '0660', '--dir-mode', '02770'],
  })
})
afterAll(() => app.stop())
beforeEach(() => {
  folder = basename(mkdtempSync(join(app.root, 'anna', 'shared-')))
})

const disk = (...names: string[]) => join(app.root, 'anna', folder, ...names)
const path = (name: string) => `/${folder}/${name}`
const modeOf = (name: string) => statSync(disk(name)).mode & 0o7777

/** What the system gives a new file of this mode in the folder. */
function plainFile(mode = FILE_MODE): string {
  const before = process.umask(0)
  closeSync(openSync(disk('plain'), 'wx', mode))
  process.umask(before)
  return described('plain')
}

/** Group, mode and access list. */
function described(name: string): string {
  const { gid, mode } = statSync(disk(name))
  return `${gid} ${(mode & 0o7777).toString(8)} ${accessList(disk(name))}`
}

async function upload(client: Client, path: string, content: Buffer): Promise<void> {
  const created = await client.call('POST', urls.tus(parsePath(path), false), undefined, {
    'Upload-Length': String(content.length),
  })
  expect(created.status).toBe(201)
  const sent = await client.call('PATCH', created.headers.get('location') ?? '', content, {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  })
  expect(sent.status).toBe(204)
}

/**
 * Creates a file in every way that there is.
 *
 * @param client of a user whose folder is `home`
 * @param to the name of a folder there
 * @returns their names
 */
async function createInEveryWay(
  client = app.anna,
  home = join(app.root, 'anna'),
  to = folder,
): Promise<string[]> {
  const path = (name: string) => `/${to}/${name}`
  const ok = async (answer: Promise<Response>) => expect((await answer).status).toBe(200)
  const done = async (request: Parameters<typeof started>[1]) => {
    const { id } = await started(client, request)
    expect((await ended(client, id)).state).toBe('done')
  }
  writeFileSync(join(home, 'source'), 'source')
  chmodSync(join(home, 'source'), FILE_MODE)
  mkdirSync(join(home, 'tree'), { recursive: true })
  writeFileSync(join(home, 'tree', 'leaf'), 'leaf')
  chmodSync(join(home, 'tree', 'leaf'), FILE_MODE)
  chmodSync(join(home, 'tree'), 0o770)
  writeFileSync(join(home, 'packed.tar'), tarOf({ name: 'member', content: 'member' }))
  const { uid, gid } = statSync(home)
  for (const name of ['source', 'tree', 'tree/leaf']) chownSync(join(home, name), uid, gid)
  await ok(client.call('POST', API.resources + path('post'), 'post'))
  await upload(client, path('tus'), Buffer.from('tus'))
  await upload(client, path('large'), Buffer.alloc(1024 * 1024 + 1))
  const form = new FormData()
  form.append('info', JSON.stringify({ path: path('batch') }))
  form.append('file', new Blob(['batch']), 'file')
  await ok(client.call('POST', API.batch, form))
  const copy = (from: string, name: string) =>
    client.call('PATCH', `${API.resources}${from}?action=copy&destination=${path(name)}`)
  await ok(copy('/source', 'copy'))
  await ok(copy('/tree', 'copied'))
  await done({ kind: 'copy', items: [{ path: '/source', decision: 'refuse' }], to: `/${to}` })
  await done({ kind: 'copy', items: [{ path: '/tree', decision: 'refuse' }], to: `/${to}` })
  await done({
    kind: 'archive',
    items: [{ path: '/source', decision: 'refuse' }],
    to: path('made.zip'),
  })
  await done({
    kind: 'extract',
    items: [{ path: '/packed.tar', decision: 'refuse' }],
    to: `/${to}`,
  })
  return ['post', 'tus', 'large', 'batch', 'copy', 'source', 'made.zip', 'member']
}

test('new files and folders have the configured modes, whatever the umask is', async () => {
  const names = await createInEveryWay()
  expect((await app.anna.call('POST', `${API.resources}${path('made')}/`)).status).toBe(200)
  for (const name of names) expect([name, modeOf(name)]).toEqual([name, FILE_MODE])
  expect(modeOf('made')).toBe(0o2770)
})

describe.skipIf(!isRoot)('in a folder with the setgid bit', () => {
  beforeEach(() => {
    chownSync(disk(), -1, GROUP)
    chmodSync(disk(), 0o2775)
  })

  test('each new file has the group of the folder', async () => {
    const names = await createInEveryWay()
    const plain = plainFile()
    for (const name of names) expect([name, described(name)]).toEqual([name, plain])
  })

  test('copied and created folders have its group and its setgid bit', async () => {
    await createInEveryWay()
    await app.anna.call('POST', `${API.resources}${path('made')}/`)
    for (const name of ['made', 'copied', 'tree']) {
      expect([name, described(name)]).toEqual([name, `${GROUP} 2770 `])
    }
    for (const name of ['copied/leaf', 'tree/leaf']) {
      expect([name, described(name)]).toEqual([name, `${GROUP} 660 `])
    }
  })

  test('a copied folder that is merged with another one gives its files the group of that one', async () => {
    await createInEveryWay()
    mkdirSync(disk('copied', 'inner'))
    chownSync(disk('copied', 'inner'), -1, GROUP + 1)
    chmodSync(disk('copied', 'inner'), 0o2775)
    const source = join(app.root, 'anna', 'tree', 'inner')
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'leaf'), 'leaf')
    const copy = `${API.resources}/tree?action=copy&override=true&destination=${path('copied')}`
    expect((await app.anna.call('PATCH', copy)).status).toBe(200)
    expect(statSync(disk('copied', 'inner', 'leaf')).gid).toBe(GROUP + 1)
  })

  test('an archive that is moved there keeps its group, as a rename does', async () => {
    writeFileSync(join(app.root, 'anna', 'moved'), 'moved')
    const move = `${API.resources}/moved?action=rename&destination=${path('moved')}`
    expect((await app.anna.call('PATCH', move)).status).toBe(200)
    expect(statSync(disk('moved')).gid).toBe(process.getegid?.() ?? 0)
  })
})

describe.skipIf(noLists !== undefined)('in a folder with an access list for new entries', () => {
  beforeEach(() => shareNewEntries(disk(), USER))

  test('each new file has what open(2) would have given it', async () => {
    const names = await createInEveryWay()
    const plain = plainFile()
    expect(accessList(disk('plain'))).not.toBe('')
    for (const name of names) expect([name, described(name)]).toEqual([name, plain])
  })

  test('folders take over the list, and give it to their entries', async () => {
    await createInEveryWay()
    await app.anna.call('POST', `${API.resources}${path('made')}/`)
    for (const name of ['made', 'copied', 'tree']) {
      expect([name, accessList(disk(name), 'default')]).toEqual([
        name,
        accessList(disk(), 'default'),
      ])
      expect([name, accessList(disk(name))]).not.toEqual([name, ''])
    }
    expect(described('copied/leaf')).toBe(plainFile())
  })

  test('a file that is replaced keeps its own list', async () => {
    writeFileSync(disk('old'), 'old')
    const before = described('old')
    await app.anna.call('PUT', API.resources + path('old'), 'new')
    expect(described('old')).toBe(before)
  })

  test('the list of the served folder is not given to files in a folder without one', async () => {
    const top = temporaryFolder()
    shareNewEntries(top.path, USER)
    const closed = join(top.path, 'closed')
    mkdirSync(closed)
    removeAccessLists(closed)
    const shared = await startServer({ root: top.path, args: ['--file-mode', '0660'] })
    const admin = await signIn(shared.url, 'admin', shared.password)
    await admin.call('POST', `${API.resources}/closed/new`, 'new')
    await shared.stop()
    const { mode } = statSync(join(closed, 'new'))
    const list = accessList(join(closed, 'new'))
    top.remove()
    expect([mode & 0o777, list]).toEqual([FILE_MODE, ''])
  }, 60_000)
})

describe.skipIf(!isRoot)('a server that is not a member of the group', () => {
  const NOBODY = 65534
  const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

  test('gives the group to files, as open(2) does', async () => {
    const top = temporaryFolder()
    const root = join(top.path, 'root')
    mkdirSync(join(root, 'group'), { recursive: true })
    for (const path of [top.path, root]) chownSync(path, NOBODY, NOBODY)
    chownSync(join(root, 'group'), NOBODY, GROUP)
    chmodSync(join(root, 'group'), 0o2775)
    const server = await startServer({
      root,
      program: ['sh', '-c', 'exec "$@"', 'sh', ...AS_NOBODY, ...filemgr()],
      args: ['--file-mode', '0660'],
      database: join(top.path, 'f.db'),
      cwd: top.path,
      env: { HOME: top.path, TMPDIR: top.path },
    })
    const admin = await signIn(server.url, 'admin', server.password)
    const names = await createInEveryWay(admin, root, 'group')
    const found = names.map((name) => {
      const { gid, mode, size } = statSync(join(root, 'group', name))
      return [name, gid, mode & 0o777, size > 0]
    })
    const left = readdirSync(join(root, 'group')).filter((name) => name.startsWith('.'))
    await server.stop()
    top.remove()
    expect(found).toEqual(names.map((name) => [name, GROUP, FILE_MODE, true]))
    expect(left).toEqual([])
  }, 60_000)
})
