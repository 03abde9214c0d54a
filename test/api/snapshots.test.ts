/** Snapshots of the file system as versions of a file, for users who may see the file, within their rights. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

/** Folders of snapshots. Each is another file system, as a snapshot is; what is in them is written by the tests. */
const SNAPSHOTS = [
  'anna/docs/.snapshots',
  'anna/#snapshot',
  'anna/docs/.snapshot',
  'anna/docs/~snapshot',
  'anna/docs/.zfs/snapshot',
  'anna/.snapshots',
  '@GMT-2026.01.01-05.00.00',
  'anna/back/.snapshots',
  'anna/links/.snapshots',
  'anna/many/.snapshots',
]

if (noMounts) process.stdout.write(`${noMounts}\n`)
describe.skipIf(noMounts !== undefined)('versions in snapshots', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp
  /** An administrator with the folder of anna: administrators see the versions of every file that had the path. */
  let owner: Client
  beforeAll(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    const mounts = SNAPSHOTS.map((at) => ({ at, sizeMiB: 32 }))
    app = await openTestApp({ root, program: withMounts(root, mounts) })
    owner = await app.person('owner', '--scope', '/anna', '--perm.admin')
  })
  afterAll(async () => {
    await app?.stop()
    folder.remove()
  })

  const disk = (path: string) => seenBy(app.server.pid, join(app.root, path))

  /** A file that was changed so many hours ago. */
  function put(path: string, content: string, hours = 0): void {
    const at = disk(path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, content)
    const time = new Date(Date.UTC(2026, 0, 2) - hours * 3_600_000)
    utimesSync(at, time, time)
  }

  async function versions(who: Client, path: string): Promise<TrashItemInfo[]> {
    const answer = await who.call('GET', `${API.versions}${path}`)
    if (!answer.ok) throw new Error(`versions: ${answer.status}`)
    return answer.json()
  }
  const contentOf = async (who: Client, path: string, { id }: TrashItemInfo) =>
    (await who.call('GET', `${API.versions}${path}?id=${id}`)).text()

  test('each kind is found, in the folder and above it, the newest first, and each content once @spec-2.34', async () => {
    put('anna/docs/a.txt', 'now')
    put('anna/docs/.snapshots/one/a.txt', 'hour 1', 1)
    put('anna/docs/.snapshots/same/a.txt', 'hour 1', 1)
    put('anna/docs/.snapshots/present/a.txt', 'now')
    put('anna/.snapshots/7/snapshot/docs/a.txt', 'hour 2', 2)
    put('anna/#snapshot/GMT-3/docs/a.txt', 'hour 3', 3)
    put('anna/docs/.zfs/snapshot/daily/a.txt', 'hour 4', 4)
    put('anna/docs/.snapshot/nightly/a.txt', 'hour 6', 6)
    put('anna/docs/~snapshot/weekly/a.txt', 'hour 7', 7)
    // Above the folder that anna sees, and yet of her file.
    put('@GMT-2026.01.01-05.00.00/anna/docs/a.txt', 'hour 5', 5)
    const found = await versions(owner, '/docs/a.txt')
    expect(found.map(({ snapshot }) => snapshot)).toEqual([
      'one',
      '7',
      'GMT-3',
      'daily',
      '@GMT-2026.01.01-05.00.00',
      'nightly',
      'weekly',
    ])
    expect(found.every(({ id }) => id < 0)).toBe(true)
    const contents = await Promise.all(found.map((one) => contentOf(owner, '/docs/a.txt', one)))
    expect(contents).toEqual(['hour 1', 'hour 2', 'hour 3', 'hour 4', 'hour 5', 'hour 6', 'hour 7'])
  })

  test('a version in a snapshot can be restored and the change undone, and the snapshot stays', async () => {
    put('anna/back/b.txt', 'now')
    put('anna/back/.snapshots/old/b.txt', 'then', 1)
    const [version] = await versions(owner, '/back/b.txt')
    const answer = await owner.call('POST', `${API.versions}/back/b.txt?id=${version?.id}`)
    expect(answer.status).toBe(200)
    const textOf = (path: string) => readFileSync(disk(`anna/back/${path}`), 'utf8')
    expect([textOf('b.txt'), textOf('.snapshots/old/b.txt')]).toEqual(['then', 'then'])
    const id = Number(answer.headers.get(JOURNAL_HEADER))
    expect(await outcome(owner.call('POST', `${API.journal}/undo`, { id }))).toBe('200')
    expect(textOf('b.txt')).toBe('now')
  })

  test('no link in a snapshot is followed, and what is no file is no version', async () => {
    put('anna/links/d.txt', 'now')
    put('secrets/d.txt', 'secret', 1)
    mkdirSync(disk('anna/links/.snapshots/folder/d.txt'), { recursive: true })
    mkdirSync(disk('anna/links/.snapshots/file'))
    symlinkSync(join(app.root, 'secrets/d.txt'), disk('anna/links/.snapshots/file/d.txt'))
    symlinkSync(join(app.root, 'secrets'), disk('anna/links/.snapshots/whole'))
    symlinkSync(app.root, disk('anna/links/#snapshot'))
    expect(await versions(owner, '/links/d.txt')).toEqual([])
    const missing = owner.call('GET', `${API.versions}/links/d.txt?id=-1`)
    expect(await outcome(missing)).toBe('404 notFound')
  })

  test('of many snapshots of a folder, the last by name are looked at @limit-62', async () => {
    put('anna/many/e.txt', 'now')
    for (let at = 0; at <= 1000; at += 1) {
      put(`anna/many/.snapshots/${String(at).padStart(4, '0')}/e.txt`, 'then', 2000 - at)
    }
    const names = (await versions(owner, '/many/e.txt')).map(({ snapshot }) => snapshot)
    expect(names).toHaveLength(1000)
    expect(names.at(0)).toBe('1000')
    expect(names.at(-1)).toBe('0001')
  })
})
