/** What a copy, an archive or a recursive list does not contain is counted, and named with the reason. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FlatEntry } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { LEFT_OUT_HEADER } from '#wire/api/session.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { parsePath } from '#wire/paths.ts'
import { namesIn, unpack } from '../support/files/archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { PASSWORD, PASSWORD_HASH } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let socket: { stop(): void }
const disk = (...names: string[]) => join(app.root, 'anna', ...names)

const LINKS = {
  again: 'sub',
  dangling: 'nowhere',
  loop: 'loop',
  outside: '../../../etc/hostname',
  up: '.',
}
const LIST = 'Not included.txt'

beforeAll(async () => {
  app = await openTestApp()
  for (const folder of ['all/sub', 'all/.snapshots/1', 'all/.filemgr', 'copies']) {
    mkdirSync(disk(folder), { recursive: true })
  }
  for (const file of ['all/a.txt', 'all/sub/b.txt', 'all/.snapshots/1/c.txt']) {
    writeFileSync(disk(file), file)
  }
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, disk('all', name))
  symlinkSync('sub', disk('all/first'))
  expect(Bun.spawnSync(['mkfifo', disk('all/pipe')]).exitCode).toBe(0)
  socket = Bun.listen({ unix: disk('all/socket'), socket: { data: () => undefined } })
})
afterAll(async () => {
  socket.stop()
  await app.stop()
})

const SKIPPED_BY_COPY = ['.snapshots', 'pipe', 'socket']
/** One of `first` and `again` is left out: each folder behind links is in an archive once. */
const SKIPPED_BY_ARCHIVE = ['.snapshots', 'dangling', 'loop', 'outside', 'pipe', 'socket', 'up']

test.each(['zip', 'tar'] as const)('a %s names all that it does not contain', async (algo) => {
  const answer = await app.anna.call('GET', `${API.raw}/all/?algo=${algo}`)
  const bytes = await answer.bytes()
  const names = await namesIn(algo, bytes)
  expect(names).toContain('sub/b.txt')
  const text = await memberText(algo, bytes, LIST)
  const listed = SKIPPED_BY_ARCHIVE.filter((name) => text.split('\n').includes(name))
  expect(listed).toEqual(SKIPPED_BY_ARCHIVE)
  expect(text).toStartWith('8 items are not in this archive.\n')
  if (algo === 'zip') expect(answer.headers.get(LEFT_OUT_HEADER)).toBe('8')
  await app.server.says(/“\/all\/outside” is left out: the link leads outside/)
  await app.server.says(/“\/all\/pipe” is left out: it is a pipe/)
})

test('a requested item that an archive cannot contain is named', async () => {
  const answer = await app.anna.call('GET', `${API.raw}/all/?algo=tar&files=a.txt,outside,pipe`)
  const bytes = await answer.bytes()
  expect((await namesIn('tar', bytes)).toSorted()).toEqual([LIST, 'a.txt'])
  const text = await memberText('tar', bytes, LIST)
  expect(text.split('\n').filter((line) => /^\w+$/.test(line))).toEqual(['outside', 'pipe'])
})

test('a rule hides the name of what is left out', async () => {
  await app.runCommand(
    'users',
    'add',
    'ruled',
    '--password-hash',
    PASSWORD_HASH,
    '--scope',
    '/anna',
  )
  await app.runCommand('rules', 'add', '/all/outside', '--user', 'ruled')
  const ruled = await signIn(app.url, 'ruled', PASSWORD)
  const answer = await ruled.call('GET', `${API.raw}/all/?algo=tar`)
  const text = await memberText('tar', await answer.bytes(), LIST)
  expect(text).toContain('\npipe\n')
  expect(text).not.toContain('outside\n')
})

test('the folder of another server is not named', async () => {
  const answer = await app.anna.call('GET', `${API.raw}/all/?algo=tar`)
  expect(await memberText('tar', await answer.bytes(), LIST)).not.toContain('.filemgr')
})

test('a copy keeps links that it cannot follow, and its response names the rest', async () => {
  const answer = await app.anna.call('PATCH', copyTo('/all', '/copies/all'))
  expect([answer.status, answer.headers.get(LEFT_OUT_HEADER)]).toEqual([200, '3'])
  const text = await answer.text()
  expect(text).toStartWith('200 OK\n3 entries were left out. ')
  for (const name of SKIPPED_BY_COPY) {
    expect(text).toContain(`“/all/${name}”: `)
    expect(lstatSync(disk('copies/all', name), { throwIfNoEntry: false })).toBeUndefined()
  }
  expectLinks('copies/all')
})

test('a copy job keeps links too, and lists the rest', async () => {
  const items = [{ path: parsePath('/all') }]
  const job = await started(app.anna, { kind: 'copy', items, to: parsePath('/copies/by job') })
  const { state, problems } = await ended(app.anna, job.id)
  const named = problems.map(({ part, fault }) => `${part} ${fault}`).toSorted()
  expect([state, ...named]).toEqual([
    'done',
    '/all/.snapshots unsupported; reason=snapshotName',
    '/all/pipe unsupported; reason=specialFile',
    '/all/socket unsupported; reason=specialFile',
  ])
  expectLinks('copies/by job/all')
})

test('a recursive list contains everything, with the reason', async () => {
  const answer = await app.anna.call('GET', `${API.resources}/recursive/all`)
  const rows: FlatEntry[] = await answer.json()
  const reasons = rows.map(({ name, leftOut }) => [name, leftOut ?? 'whole'])
  expect(Object.fromEntries(reasons)).toEqual({
    '.snapshots': 'reserved',
    'a.txt': 'whole',
    again: 'whole',
    'b.txt': 'whole',
    dangling: 'link',
    first: 'whole',
    loop: 'link',
    outside: 'link',
    pipe: 'special',
    socket: 'special',
    sub: 'whole',
    up: 'whole',
  })
})

/** One of the links to `sub` is followed; all others are links with the same target. */
function expectLinks(folder: string): void {
  for (const name of ['dangling', 'loop', 'outside', 'up'] as const) {
    expect([name, readlinkSync(disk(folder, name))]).toEqual([name, LINKS[name]])
  }
  const kinds = ['again', 'first'].map((name) => lstatSync(disk(folder, name)).isSymbolicLink())
  expect(kinds.toSorted()).toEqual([false, true])
  for (const name of ['again', 'first', 'sub']) {
    expect(readFileSync(disk(folder, name, 'b.txt'), 'utf8')).toBe('all/sub/b.txt')
  }
}

function copyTo(from: string, to: string): string {
  return `${API.resources}${from}?action=copy&destination=${encodeURIComponent(to)}`
}

async function memberText(format: ArchiveFormatName, bytes: Uint8Array, name: string) {
  const folder = temporaryFolder()
  const target = join(folder.path, 'out')
  await unpack(format, bytes, target)
  return readFileSync(join(target, name), 'utf8')
}
