/** Entries that the server's account may not read, such as `lost+found`, do not stop their folder. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { FOLDER_SIZES_HEADER, type Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { LEFT_OUT_HEADER } from '#wire/api/session.ts'
import type { ArchiveFormatName } from '#wire/formats/archive-formats.ts'
import { namesIn, unpack } from '../support/files/archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome } from '../support/server/client.ts'
import { control, ended, started } from '../support/server/jobs.ts'
import { type OrdinaryServer, startAsOrdinaryAccount } from '../support/server/ordinary-account.ts'

let app: OrdinaryServer
const disk = (...names: string[]) => join(app.root, ...names)

beforeAll(async () => {
  app = await startAsOrdinaryAccount()
  for (const folder of ['disk/lost+found/inner', 'disk/sub', 'copies', 'closed', 'sums']) {
    mkdirSync(disk(folder), { recursive: true })
  }
  for (const file of ['disk/a.txt', 'disk/key', 'disk/sub/key', 'disk/sub/b.txt', 'closed/x']) {
    writeFileSync(disk(file), file)
  }
  symlinkSync('key', disk('disk/link'))
  for (const name of ['disk/lost+found', 'disk/key', 'disk/sub/key', 'closed']) {
    chmodSync(disk(name), 0)
  }
  for (const name of ['copies', 'sums']) chmodSync(disk(name), 0o777)
})
afterAll(async () => {
  for (const name of ['disk/lost+found', 'closed']) chmodSync(disk(name), 0o700)
  await app.stop()
})

const READABLE = ['a.txt', 'sub/', 'sub/b.txt']
const UNREADABLE = ['key', 'link', 'lost+found', 'sub/key']
const UNREADABLE_COUNT = UNREADABLE.length
const LIST = 'Not included.txt'

test.each(['zip', 'tar', 'targz'] as const)(
  'a %s leaves out what cannot be read, and the log names it',
  async (algo) => {
    const answer = await app.admin.call('GET', `${API.raw}/disk/?algo=${algo}`)
    expect(answer.status).toBe(200)
    const bytes = await answer.bytes()
    expect((await namesIn(algo, bytes)).sort()).toEqual([LIST, ...READABLE])
    const listed = await extractedText(algo, bytes, LIST)
    const [, ...names] = listed.split('\n\n')[1]?.trim().split('\n') ?? []
    expect(names).toEqual(UNREADABLE)
    // The entries of a tar are listed while it is sent.
    const count = algo === 'zip' ? `${UNREADABLE_COUNT}` : null
    expect(answer.headers.get(LEFT_OUT_HEADER)).toBe(count)
    for (const name of UNREADABLE) {
      await app.server.says(
        new RegExp(`/api/raw/disk/: “/disk/${RegExp.escape(name)}” is left out`),
      )
    }
  },
)

test('the list of what is left out is the same in a range, and has a free name', async () => {
  const target = `${API.raw}/disk/?algo=zip&files=key,a.txt`
  // Its checksum is not known yet.
  const part = await app.admin.call('GET', target, undefined, { Range: 'bytes=-100' })
  const tag = part.headers.get('ETag') ?? ''
  const end = await part.bytes()
  const whole = await app.admin.call('GET', target)
  expect([part.status, whole.headers.get('ETag')]).toEqual([206, tag])
  expect(Buffer.compare(end, (await whole.bytes()).slice(-100))).toBe(0)
  chmodSync(disk('disk'), 0o777)
  writeFileSync(disk('disk', LIST.toUpperCase()), 'of the user')
  try {
    const answer = await app.admin.call('GET', `${API.raw}/disk/?algo=zip`)
    const names = await namesIn('zip', await answer.bytes())
    expect(names.filter((name) => /^not included/i.test(name)).toSorted()).toEqual([
      'NOT INCLUDED.TXT',
      'Not included(1).txt',
    ])
  } finally {
    rmSync(disk('disk', LIST.toUpperCase()))
  }
})

test('a visitor of a link gets the list with names in the shared folder only', async () => {
  const { hash } = await (await app.admin.call('POST', `${API.share}/disk`, {})).json()
  const answer = await app.admin.call('GET', `${API.publicDownload}/${hash}/?algo=tar`)
  const text = await extractedText('tar', await answer.bytes(), LIST)
  expect(text).toContain('\nsub/key\n')
  expect(text).not.toContain('disk/')
})

test('an archive that lacks nothing has no list', async () => {
  const answer = await app.admin.call('GET', `${API.raw}/disk/?files=a.txt,sub%2Fb.txt&algo=tar`)
  expect(await namesIn('tar', await answer.bytes())).toEqual(['a.txt', 'sub/b.txt'])
})

/** The text of one member of an archive. */
async function extractedText(
  format: ArchiveFormatName,
  bytes: Uint8Array,
  name: string,
): Promise<string> {
  const folder = temporaryFolder()
  const target = join(folder.path, 'out')
  await unpack(format, bytes, target)
  return readFileSync(join(target, name), 'utf8')
}

test('an archive of what cannot be read is refused with its name before it begins', async () => {
  for (const algo of ['zip', 'tar']) {
    for (const path of [
      '/closed/?',
      '/disk/?files=lost%2Bfound&',
      '/disk/?files=key,lost%2Bfound&',
    ]) {
      const answer = await app.admin.call('GET', `${API.raw}${path}algo=${algo}`)
      expect([path, answer.status]).toEqual([path, 403])
      expect(await answer.text()).toMatch(/“(closed|lost\+found|key)”/)
    }
  }
})

test('a refusal says that the system denies it to the server, and names what is inside', async () => {
  mkdirSync(disk('copies/holds/own/locked'), { recursive: true })
  for (const name of ['copies/holds', 'copies/holds/own']) chmodSync(disk(name), 0o777)
  chmodSync(disk('copies/holds/own/locked'), 0)
  const refused = async (method: 'GET' | 'DELETE', path: string) => {
    const answer = await app.admin.call(method, `${API.resources}${path}`)
    return [answer.status, answer.headers.get('X-Fault')]
  }
  const denied = 'forbidden; reason=systemDenies'
  expect(await refused('GET', '/closed/')).toEqual([403, denied])
  expect(await refused('DELETE', '/copies/holds/own/locked/')).toEqual([403, denied])
  expect(await refused('DELETE', '/copies/holds/')).toEqual([403, `${denied}; item=own%2Flocked`])
  rmSync(disk('copies/holds'), { recursive: true })
})

test('the size of an unreadable folder is unknown, and the space report says that something is missing', async () => {
  const sizes = async () => {
    const headers = { [FOLDER_SIZES_HEADER]: 'true' }
    const answer = await app.admin.call('GET', `${API.resources}/`, undefined, headers)
    return ((await answer.json()) as Listing).items
  }
  let items = await sizes()
  while (items.every(({ totalSize }) => totalSize === undefined)) items = await sizes()
  const known = items.filter(({ totalSize }) => totalSize !== undefined).map(({ name }) => name)
  expect(known).toContain('disk')
  expect(known).not.toContain('closed')
  const report = await (await app.admin.call('GET', `${API.space}/`)).json()
  expect(report).toMatchObject({ isPartial: false, hasUnreadable: true })
  const whole = await (await app.admin.call('GET', `${API.space}/sums/`)).json()
  expect(whole).toMatchObject({ isPartial: false, hasUnreadable: false })
})

test('the headers of a download are no download in the activity', async () => {
  const target = `${API.raw}/disk/?files=sub%2Fb.txt&algo=tar`
  const downloads = async () => {
    const answer = await app.admin.call('GET', `${API.audit}?action=download&limit=1000`)
    return ((await answer.json()) as unknown[]).length
  }
  const before = await downloads()
  expect((await app.admin.call('HEAD', target)).status).toBe(200)
  // A refusal comes after it in the record.
  expect((await app.admin.call('HEAD', `${API.raw}/closed/?algo=tar`)).status).toBe(403)
  expect(await downloads()).toBe(before + 1)
})

test('a recursive list contains a folder that cannot be read, without its content', async () => {
  const answer = await app.admin.call('GET', `${API.resources}/recursive/disk`)
  const paths = (await answer.json()).map(({ path }: { path: string }) => path)
  expect(paths).toEqual([
    '/disk/a.txt',
    '/disk/key',
    '/disk/link',
    '/disk/lost+found',
    '/disk/sub',
    '/disk/sub/b.txt',
    '/disk/sub/key',
  ])
})

test('a copy leaves out what cannot be read, and counts it in the response', async () => {
  const query = '?action=copy&destination=%2Fcopies%2Fdisk'
  const answer = await app.admin.call('PATCH', `${API.resources}/disk${query}`)
  expect([answer.status, answer.headers.get(LEFT_OUT_HEADER)]).toEqual([200, `${UNREADABLE_COUNT}`])
  expect(readFileSync(disk('copies/disk/sub/b.txt'), 'utf8')).toBe('disk/sub/b.txt')
  for (const name of UNREADABLE) {
    expect(existsSync(disk('copies/disk', name))).toBe(false)
    await app.server.says(new RegExp(`/resources/disk: “/disk/${RegExp.escape(name)}” is left out`))
  }
  const closed = app.admin.call(
    'PATCH',
    `${API.resources}/closed?action=copy&destination=%2Fcopies%2Fclosed`,
  )
  expect(await outcome(closed)).toBe('403 forbidden')
})

test('a folder that contains what cannot be read is moved', async () => {
  mkdirSync(disk('copies/own/locked'), { recursive: true })
  chmodSync(disk('copies/own'), 0o777)
  chmodSync(disk('copies/own/locked'), 0)
  const query = '?action=rename&destination=%2Fcopies%2Fx%2Fy%2Fown'
  expect(await outcome(app.admin.call('PATCH', `${API.resources}/copies/own${query}`))).toBe('200')
  expect(existsSync(disk('copies/x/y/own/locked'))).toBe(true)
})

test.each([
  ['copy', { to: '/copies/job' }],
  ['archive', { to: '/copies/disk.zip' }],
  ['archive', { to: '/copies/disk.tar' }],
  ['sums', {}],
] as const)('a job of the kind %s lists what it left out %#', async (kind, more) => {
  if (kind === 'sums') chmodSync(disk('disk'), 0o777)
  const job = await started(app.admin, { kind, items: [{ path: '/disk' }], ...more })
  const { state, problems } = await ended(app.admin, job.id)
  expect(state).toBe('done')
  const named = problems.map(({ part, fault }) => `${part} ${fault}`).toSorted()
  expect(named).toEqual(UNREADABLE.map((name) => `/disk/${name} forbidden; reason=systemDenies`))
  expect(await outcome(control(app.admin, job.id, 'retry'))).toBe('200')
  expect((await ended(app.admin, job.id)).problems.length).toBe(UNREADABLE_COUNT)
})
