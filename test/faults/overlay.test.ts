/** Folders of a lower layer of an overlay, which the system cannot rename, are moved and deleted without a loss. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noMounts, noOverlay, seenBy, withMounts } from '../support/system/mounts.ts'

const refusal = noMounts ?? noOverlay()
if (refusal) process.stdout.write(`${refusal}\n`)

const FOLDERS = [
  'renamed',
  'moved',
  'merged',
  'deleted',
  'purged',
  'scratch/forever',
  'by job',
  'to disk',
]

describe.skipIf(refusal !== undefined)('a folder of a lower layer', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: TestServer
  let admin: Client
  const disk = (name: string) => seenBy(server.pid, join(server.root, name))
  /** Relative paths and contents of the files of a folder. */
  const filesIn = (name: string) =>
    (readdirSync(disk(name), { recursive: true }) as string[])
      .filter((path) => statSync(disk(join(name, path))).isFile())
      .map((path) => `${path}: ${readFileSync(disk(join(name, path)), 'utf8')}`)
      .sort()
  const COMPLETE = ['a.txt: a', 'deep/b.txt: b']
  const rename = (from: string, to: string, more = '') =>
    admin.call('PATCH', `${API.resources}/${from}?action=rename&destination=/${to}${more}`)
  const undo = async (entry: string | number | null) =>
    outcome(admin.call('POST', `${API.journal}/undo`, { id: Number(entry) }))

  beforeAll(async () => {
    folder = temporaryFolder()
    const [root, lower] = [join(folder.path, 'root'), join(folder.path, 'lower')]
    for (const name of FOLDERS) {
      mkdirSync(join(lower, name, 'deep'), { recursive: true })
      writeFileSync(join(lower, name, 'a.txt'), 'a')
      writeFileSync(join(lower, name, 'deep/b.txt'), 'b')
    }
    mkdirSync(join(lower, 'target'))
    writeFileSync(join(lower, 'target/kept.txt'), 'kept')
    server = await startServer({
      root,
      args: ['--trash-except', '/scratch'],
      program: withMounts(root, [
        { at: '', lower },
        { at: 'disk', sizeMiB: 8 },
      ]),
    })
    admin = await signIn(server.url, 'admin', server.password)
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
    folder?.remove()
  })

  test('is renamed, and the rename is undone', async () => {
    const answer = await rename('renamed', 'other')
    expect(answer.status).toBe(200)
    expect(existsSync(disk('renamed'))).toBe(false)
    expect(filesIn('other')).toEqual(COMPLETE)
    expect(await undo(answer.headers.get(JOURNAL_HEADER))).toBe('200')
    expect(existsSync(disk('other'))).toBe(false)
    expect(filesIn('renamed')).toEqual(COMPLETE)
  })

  test('is moved into another folder, and merged with one of the same name', async () => {
    expect((await rename('moved', 'target/moved')).status).toBe(200)
    expect(existsSync(disk('moved'))).toBe(false)
    expect(filesIn('target/moved')).toEqual(COMPLETE)
    expect((await rename('merged', 'target', '&override=true')).status).toBe(200)
    expect(existsSync(disk('merged'))).toBe(false)
    expect(filesIn('target')).toEqual(
      [...COMPLETE, 'kept.txt: kept', ...COMPLETE.map((file) => `moved/${file}`)].sort(),
    )
  })

  test('is moved by a job, and to another file system', async () => {
    for (const [name, to] of [
      ['by job', '/target'],
      ['to disk', '/disk'],
    ]) {
      const items = [{ path: `/${name}`, decision: 'refuse' as const }]
      const { id } = await started(admin, { kind: 'move', items, to: to ?? '' })
      expect((await ended(admin, id)).state).toBe('done')
      expect(existsSync(disk(name ?? ''))).toBe(false)
      expect(filesIn(`${to}/${name}`)).toEqual(COMPLETE)
    }
  })

  test('is deleted into the trash, and restored from it', async () => {
    const answer = await admin.call('DELETE', `${API.resources}/deleted`)
    expect(answer.status).toBe(204)
    expect(existsSync(disk('deleted'))).toBe(false)
    const items: TrashItemInfo[] = await (await admin.call('GET', API.trash)).json()
    expect(items.map(({ path }) => path)).toContain('/deleted')
    expect(await undo(answer.headers.get(JOURNAL_HEADER))).toBe('200')
    expect(filesIn('deleted')).toEqual(COMPLETE)
  })

  test('is deleted permanently', async () => {
    expect(await outcome(admin.call('DELETE', `${API.resources}/scratch/forever`))).toBe('204')
    expect(existsSync(disk('scratch/forever'))).toBe(false)
    const keptBefore = readdirSync(disk('.filemgr/trash'))
    expect(await outcome(admin.call('DELETE', `${API.resources}/purged`))).toBe('204')
    const items: TrashItemInfo[] = await (await admin.call('GET', API.trash)).json()
    const id = items.find(({ path }) => path === '/purged')?.id
    expect(await outcome(admin.call('DELETE', `${API.trash}?id=${id}`))).toBe('204')
    expect(readdirSync(disk('.filemgr/trash'))).toEqual(keptBefore)
  })

  test('leaves nothing in the private folder', () => {
    const work = disk('.filemgr/work')
    for (const name of readdirSync(work)) expect(readdirSync(join(work, name))).toEqual([])
  })
})
