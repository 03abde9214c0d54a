/** Snapshots of the file system as versions of a file, for users who may see the file, within their rights. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeptItem } from '#wire/journal.ts'
import { JOURNAL_HEADER } from '#wire/journal.ts'
import { API } from '#wire/routes.ts'
import { type Client, outcome, signIn } from '../support/client.ts'
import { PASSWORD } from '../support/passwords.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** A file that was changed so many hours ago. */
function put(path: string, content: string, hours = 0): void {
  const disk = join(app.root, path)
  mkdirSync(dirname(disk), { recursive: true })
  writeFileSync(disk, content)
  const time = new Date(Date.UTC(2026, 0, 2) - hours * 3_600_000)
  utimesSync(disk, time, time)
}

async function versions(who: Client, path: string): Promise<KeptItem[]> {
  const answer = await who.call('GET', `${API.versions}${path}`)
  if (!answer.ok) throw new Error(`versions: ${answer.status}`)
  return answer.json()
}
const contentOf = async (who: Client, path: string, { id }: KeptItem) =>
  (await who.call('GET', `${API.versions}${path}?id=${id}`)).text()

test('each kind is found, in the folder and above it, the newest first, and each content once @spec-2.34', async () => {
  put('anna/docs/a.txt', 'now')
  put('anna/docs/.snapshots/one/a.txt', 'hour 1', 1)
  put('anna/docs/.snapshots/same/a.txt', 'hour 1', 1)
  put('anna/docs/.snapshots/present/a.txt', 'now')
  put('anna/.snapshots/7/snapshot/docs/a.txt', 'hour 2', 2)
  put('anna/#snapshot/GMT-3/docs/a.txt', 'hour 3', 3)
  put('anna/docs/.zfs/snapshot/daily/a.txt', 'hour 4', 4)
  // Above the folder that anna sees, and yet of her file.
  put('@GMT-2026.01.01-05.00.00/anna/docs/a.txt', 'hour 5', 5)
  const found = await versions(app.anna, '/docs/a.txt')
  expect(found.map(({ snapshot }) => snapshot)).toEqual([
    'one',
    '7',
    'GMT-3',
    'daily',
    '@GMT-2026.01.01-05.00.00',
  ])
  expect(found.every(({ id }) => id < 0)).toBe(true)
  const contents = await Promise.all(found.map((one) => contentOf(app.anna, '/docs/a.txt', one)))
  expect(contents).toEqual(['hour 1', 'hour 2', 'hour 3', 'hour 4', 'hour 5'])
})

test('a version in a snapshot can be restored and the change undone, and the snapshot stays', async () => {
  put('anna/back/b.txt', 'now')
  put('anna/back/.snapshots/old/b.txt', 'then', 1)
  const [version] = await versions(app.anna, '/back/b.txt')
  const answer = await app.anna.call('POST', `${API.versions}/back/b.txt?id=${version?.id}`)
  expect(answer.status).toBe(200)
  const disk = (path: string) => readFileSync(join(app.root, 'anna/back', path), 'utf8')
  expect([disk('b.txt'), disk('.snapshots/old/b.txt')]).toEqual(['then', 'then'])
  const id = Number(answer.headers.get(JOURNAL_HEADER))
  expect(await outcome(app.anna.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
  expect(disk('b.txt')).toBe('now')
})

test('rights, rules and hidden files are those of the file @spec-2.34', async () => {
  put('anna/mine/c.txt', 'now')
  put('anna/mine/secret.txt', 'now')
  put('anna/mine/.hidden/c.txt', 'now')
  for (const name of ['c.txt', 'secret.txt', '.hidden/c.txt']) {
    put(`anna/mine/.snapshots/old/${name}`, 'then', 1)
  }
  await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna', '--hide-dotfiles')
  await app.runCommand('rules', 'add', '/mine/secret.txt', '--user', 'ruled')
  const ruled = await signIn(app.url, 'ruled', PASSWORD)
  const [version] = await versions(ruled, '/mine/c.txt')
  expect(version?.snapshot).toBe('old')
  const ask = (who: Client, path: string, method = 'GET') =>
    outcome(who.call(method, `${API.versions}${path}?id=${version?.id}`))
  expect(await ask(ruled, '/mine/secret.txt')).toBe('403 forbidden')
  expect(await ask(ruled, '/mine/.hidden/c.txt')).toBe(
    await outcome(ruled.call('GET', `${API.resources}/mine/.hidden/c.txt`)),
  )
  expect(await ask(app.anonymous, '/mine/c.txt')).toBe('401 unauthenticated')
  const looker = await app.person(
    'looker',
    '--scope',
    '/anna',
    '--perm.download=false',
    '--perm.share=false',
  )
  expect(await ask(looker, '/mine/c.txt')).toBe('403 forbidden')
  const reader = await app.person('reader', '--scope', '/anna', '--perm.modify=false')
  expect(await ask(reader, '/mine/c.txt')).toBe('200')
  expect(await ask(reader, '/mine/c.txt', 'POST')).toBe('403 forbidden')
})

test('no link in a snapshot is followed, and what is no file is no version', async () => {
  put('anna/links/d.txt', 'now')
  put('secrets/d.txt', 'secret', 1)
  mkdirSync(join(app.root, 'anna/links/.snapshots/folder/d.txt'), { recursive: true })
  mkdirSync(join(app.root, 'anna/links/.snapshots/file'))
  symlinkSync(join(app.root, 'secrets/d.txt'), join(app.root, 'anna/links/.snapshots/file/d.txt'))
  symlinkSync(join(app.root, 'secrets'), join(app.root, 'anna/links/.snapshots/whole'))
  symlinkSync(app.root, join(app.root, 'anna/links/#snapshot'))
  expect(await versions(app.anna, '/links/d.txt')).toEqual([])
  const missing = app.anna.call('GET', `${API.versions}/links/d.txt?id=-1`)
  expect(await outcome(missing)).toBe('404 notFound')
})

test('of many snapshots of a folder, the last by name are looked at @limit-62', async () => {
  put('anna/many/e.txt', 'now')
  for (let at = 0; at <= 1000; at += 1) {
    put(`anna/many/.snapshots/${String(at).padStart(4, '0')}/e.txt`, 'then', 2000 - at)
  }
  const names = (await versions(app.anna, '/many/e.txt')).map(({ snapshot }) => snapshot)
  expect(names).toHaveLength(1000)
  expect(names.at(0)).toBe('1000')
  expect(names.at(-1)).toBe('0001')
})
