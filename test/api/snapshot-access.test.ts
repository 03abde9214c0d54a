/** What real snapshots of a file system may show to whom: versions of the file itself, and nothing by their own path. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { seenBy } from '../support/system/mounts.ts'
import { noSnapshots, onOwnDisk, takeSnapshot } from '../support/system/snapshots.ts'

if (noSnapshots) process.stdout.write(`${noSnapshots}\n`)
describe.skipIf(noSnapshots !== undefined)('snapshots', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp
  beforeAll(async () => {
    folder = temporaryFolder()
    app = await openTestApp({ root: join(folder.path, 'root'), program: onOwnDisk(folder.path) })
    mkdirSync(disk('anna'), { recursive: true })
  })
  afterAll(async () => {
    await app?.stop()
    folder.remove()
  })

  const disk = (path: string) => seenBy(app.server.pid, join(app.root, path))
  function put(path: string, content: string): void {
    mkdirSync(dirname(disk(path)), { recursive: true })
    writeFileSync(disk(path), content)
  }
  const snapshot = (at: string) => takeSnapshot(app.server.pid, folder.path, at)
  async function contentsFor(who: Client, path: string): Promise<string[]> {
    const answer = await who.call('GET', `${API.versions}${path}`)
    const items: TrashItemInfo[] = await answer.json()
    const inSnapshots = items.filter((item) => item.snapshot !== undefined)
    return Promise.all(
      inSnapshots.map(async ({ id }) =>
        (await who.call('GET', `${API.versions}${path}?id=${id}`)).text(),
      ),
    )
  }

  test('a version in a snapshot is of the file that has the path now, also after saves', async () => {
    put('anna/notes/edited.txt', 'first')
    put('anna/notes/saved.txt', 'first')
    snapshot('.snapshots/1/snapshot')
    put('anna/notes/edited.txt', 'second one')
    const save = (content: string) =>
      outcome(app.anna.call('PUT', `${API.resources}/notes/saved.txt`, content))
    expect(await save('second one')).toBe('200')
    snapshot('.snapshots/2/snapshot')
    expect(await save('third in row')).toBe('200')
    put('anna/notes/edited.txt', 'third in row')
    expect(await contentsFor(app.anna, '/notes/edited.txt')).toEqual(['second one', 'first'])
    // The administrator sees all, the owner those since the file is known to exist.
    expect(await contentsFor(app.admin, '/anna/notes/saved.txt')).toEqual(['second one', 'first'])
  })

  test('a new file of the same name does not show the deleted one, nor a home the former one', async () => {
    put('anna/mine/diary.txt', 'diary of the former anna')
    put('anna/mine/kept.txt', 'kept as it was')
    snapshot('.snapshots/3/snapshot')
    rmSync(disk('anna/mine/diary.txt'))
    put('anna/mine/diary.txt', 'new')
    put('anna/mine/kept.txt', 'changed')
    expect(await contentsFor(app.anna, '/mine/diary.txt')).toEqual([])
    expect(await contentsFor(app.anna, '/mine/kept.txt')).toEqual(['kept as it was'])
    expect(await contentsFor(app.admin, '/anna/mine/diary.txt')).toEqual([
      'diary of the former anna',
    ])
    // Even the very same file, in another folder at the same path, has no versions there.
    mkdirSync(disk('anna/next'))
    renameSync(disk('anna/mine/kept.txt'), disk('anna/next/kept.txt'))
    rmSync(disk('anna/mine'), { recursive: true })
    renameSync(disk('anna/next'), disk('anna/mine'))
    expect(await contentsFor(app.anna, '/mine/kept.txt')).toEqual([])
  })

  test('a folder that somebody creates with the name of one is no snapshot', async () => {
    put('anna/made/a.txt', 'now')
    put('anna/made/.snapshots/old/a.txt', 'made up')
    expect(await contentsFor(app.admin, '/anna/made/a.txt')).toEqual([])
  })

  test('rights, rules and hidden files are those of the file @spec-2.34', async () => {
    const names = ['c.txt', 'secret.txt', '.hidden/c.txt']
    for (const name of names) put(`anna/ruled/${name}`, 'then')
    snapshot('.snapshots/4/snapshot')
    for (const name of names) put(`anna/ruled/${name}`, 'now it is longer')
    await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna', '--hide-dotfiles')
    await app.runCommand('rules', 'add', '/ruled/secret.txt', '--user', 'ruled')
    const ruled = await signIn(app.url, 'ruled', PASSWORD)
    const [version] = await (await ruled.call('GET', `${API.versions}/ruled/c.txt`)).json()
    expect(version?.snapshot).toBe('4')
    const ask = (who: Client, path: string, method = 'GET') =>
      outcome(who.call(method, `${API.versions}${path}?id=${version?.id}`))
    expect(await ask(ruled, '/ruled/secret.txt')).toBe('403 forbidden')
    expect(await ask(ruled, '/ruled/.hidden/c.txt')).toBe(
      await outcome(ruled.call('GET', `${API.resources}/ruled/.hidden/c.txt`)),
    )
    expect(await ask(app.anonymous, '/ruled/c.txt')).toBe('401 unauthenticated')
    const looker = await app.person(
      'looker',
      '--scope',
      '/anna',
      '--perm.download=false',
      '--perm.share=false',
    )
    expect(await ask(looker, '/ruled/c.txt')).toBe('403 forbidden')
    const reader = await app.person('reader', '--scope', '/anna', '--perm.modify=false')
    expect(await ask(reader, '/ruled/c.txt')).toBe('200')
    expect(await ask(reader, '/ruled/c.txt', 'POST')).toBe('403 forbidden')
  })

  const DOORS = [
    '.snapshots/5/snapshot',
    '.SNAPSHOTS/5/snapshot',
    '.snapshots./5/snapshot',
    '#snapshot/daily',
    '.snapshot/hourly.0',
    '~snapshot/hourly.0',
    '.zfs/snapshot/daily',
    '@GMT-2026.01.01-05.00.00',
  ]
  test('no path through a snapshot is served, to nobody, by any way', async () => {
    put('anna/door/secret/a.txt', 'secret')
    for (const door of DOORS) if (!/[A-Z]{4}|s\./.test(door)) snapshot(`anna/door/${door}`)
    for (const door of DOORS) {
      const path = `/anna/door/${encodeURIComponent(door).replaceAll('%2F', '/')}/anna/door/secret`
      const ask = async (method: string, address: string, body?: string) =>
        outcome(app.admin.call(method, address, body))
      expect(await ask('GET', `${API.raw}${path}/a.txt`)).toBe('403 forbidden')
      expect(await ask('GET', `${API.resources}${path}/`)).toBe('403 forbidden')
      expect(await ask('GET', `${API.versions}${path}/a.txt`)).toBe('403 forbidden')
      expect(await ask('POST', `${API.resources}${path}/new.txt`, 'x')).toBe('403 forbidden')
      const copy = `${API.resources}${path}/a.txt?action=copy&destination=${encodeURIComponent('/anna/stolen.txt')}`
      expect(await ask('PATCH', copy)).toBe('403 forbidden')
    }
    const share = await app.admin.call('POST', `${API.share}/anna/door/`, {})
    const { hash } = JSON.parse(await share.text())
    const visit = `${API.publicDownload}/${hash}/.zfs/snapshot/daily/anna/door/secret/a.txt`
    expect(await outcome(app.anonymous.call('GET', visit))).toBe('403 forbidden')
  })

  test('no list, search, copy or archive contains a snapshot', async () => {
    put('anna/whole/needle.txt', 'found')
    snapshot('anna/whole/.snapshots/6/snapshot')
    const listing = await (await app.anna.call('GET', `${API.resources}/whole/`)).json()
    expect(listing.items.map(({ name }: { name: string }) => name)).toEqual(['needle.txt'])
    const search = await (await app.anna.call('GET', `${API.search}/whole/?query=needle`)).text()
    expect(search.match(/needle/g)).toHaveLength(1)
    const copy = `${API.resources}/whole?action=copy&destination=${encodeURIComponent('/copied')}`
    expect(await outcome(app.anna.call('PATCH', copy))).toBe('200')
    expect(readdirSync(disk('anna/copied'))).toEqual(['needle.txt'])
    const tar = await (await app.anna.call('GET', `${API.raw}/whole/?algo=tar`)).arrayBuffer()
    expect(Buffer.from(tar).includes('.snapshots/')).toBe(false)
  })

  test('no user can be called like a folder of snapshots and get it as a home', async () => {
    await app.runCommand('config', 'set', '--createUserDir')
    for (const name of ['.snapshots', '@GMT-2026.01.01-05.00.00', '.zfs', '.filemgr']) {
      const body = {
        what: 'user',
        which: [],
        current_password: PASSWORD,
        data: { username: name, password: `${PASSWORD}1`, scope: '' },
      }
      const answer = await app.admin.call('POST', API.users, body)
      expect([name, answer.status]).toEqual([name, 400])
      expect(await answer.text()).toContain('No folder can have this user name as its name.')
    }
  })
})
