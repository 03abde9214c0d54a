/** The trash and the earlier versions of files: who sees them, how they come back, and how long they stay. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { UserUsage } from '#wire/api/entry.ts'
import type { Restored, TrashItemInfo } from '#wire/api/journal.ts'
import { API, urls } from '#wire/api/routes.ts'
import { JOURNAL_HEADER } from '#wire/api/session.ts'
import { parsePath } from '#wire/paths.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const MIB = 2 ** 20

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const at = (path: string) => urls.resource(parsePath(path))
const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const kept = () => readdirSync(join(app.root, '.filemgr/trash'))
const trash = async (who: Client): Promise<TrashItemInfo[]> =>
  (await who.call('GET', API.trash)).json()
const item = async (who: Client, path: string) =>
  (await trash(who)).find((found) => found.path === path)
const remove = (path: string, who = app.anna) => outcome(who.call('DELETE', at(path)))
const purge = (id: number | undefined, who = app.anna) =>
  outcome(who.call('DELETE', `${API.trash}?id=${id}`))
async function restore(ids: (number | undefined)[], how: object = {}, who = app.anna) {
  const answer = await who.call('POST', API.trash, { ids, ...how })
  expect(answer.status).toBe(200)
  const restored: Restored[] = await answer.json()
  return restored.map(({ path, fault }) => path || fault)
}
const versionsAt = (path: string) => API.versions + parsePath(path)
const versions = async (path: string, who = app.anna): Promise<TrashItemInfo[]> =>
  (await who.call('GET', versionsAt(path))).json()

describe('who may', () => {
  test('the trash needs a session, and each of its actions a right', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(await outcome(app.anonymous.call(method, API.trash))).toBe('401 unauthenticated')
    }
    expect(await outcome(app.anonymous.call('GET', versionsAt('/x')))).toBe('401 unauthenticated')
    writeFileSync(disk('rights'), 'rights')
    expect(await remove('/rights')).toBe('204')
    const id = (await item(app.anna, '/rights'))?.id
    const reader = await app.person(
      'reader',
      '--scope',
      '/anna',
      ...['create', 'rename', 'modify', 'delete'].map((name) => `--perm.${name}=false`),
    )
    expect((await item(reader, '/rights'))?.username).toBe('anna')
    expect(await outcome(reader.call('POST', API.trash, { ids: [id] }))).toBe('403 forbidden')
    expect(await purge(id, reader)).toBe('403 forbidden')
    const other = await app.person('other', '--scope', '/anna')
    expect(await purge(id, other)).toBe('403 forbidden')
    expect(await restore([id], {}, other)).toEqual(['/rights'])
    expect(readFileSync(disk('rights'), 'utf8')).toBe('rights')
  })

  test('the trash shows nothing of another’s folder, and no number leads there', async () => {
    mkdirSync(join(app.root, 'bob'), { recursive: true })
    const bob = await app.person('bob', '--scope', '/bob')
    writeFileSync(disk('hers'), 'hers')
    await remove('/hers')
    const id = (await item(app.anna, '/hers'))?.id
    expect(await trash(bob)).toEqual([])
    expect(await restore([id], {}, bob)).toEqual(['notFound'])
    expect(await purge(id, bob)).toBe('404 notFound')
    expect((await item(app.admin, '/anna/hers'))?.id).toBe(id)
  })

  test('denied items are not listed, restored, read or deleted in the trash', async () => {
    mkdirSync(disk('ruled/closed'), { recursive: true })
    for (const name of ['ruled/open', 'ruled/closed/secret', 'secret']) {
      writeFileSync(disk(name), name)
    }
    expect(await outcome(app.anna.call('PUT', at('/secret'), 'replaced'))).toBe('200')
    const [version] = await versions('/secret')
    await remove('/ruled')
    const [folder, number] = [(await item(app.anna, '/ruled'))?.id, version?.id]
    await remove('/secret')
    const secret = (await item(app.anna, '/secret'))?.id
    await app.runCommand('users', 'add', 'ruled', PASSWORD, '--scope', '/anna')
    for (const path of ['/secret', '/ruled/closed']) {
      await app.runCommand('rules', 'add', '--user', 'ruled', path)
    }
    const ruled = await signIn(app.url, 'ruled', PASSWORD)
    expect((await trash(ruled)).map(({ path }) => path)).toContain('/ruled')
    expect((await trash(ruled)).map(({ path }) => path)).not.toContain('/secret')
    expect(await restore([folder, secret], { beside: true }, ruled)).toEqual([
      'forbidden',
      'notFound',
    ])
    writeFileSync(disk('ruled'), 'taken')
    expect(await restore([folder], { beside: true }, ruled)).toEqual(['forbidden'])
    const bytes = `${versionsAt('/secret')}?id=${number}`
    writeFileSync(disk('secret'), 'again')
    expect(await outcome(ruled.call('GET', versionsAt('/secret')))).toBe('403 forbidden')
    expect(await outcome(ruled.call('GET', bytes))).toBe('403 forbidden')
    expect(await outcome(ruled.call('GET', `${versionsAt('/ruled')}?id=${number}`))).toBe(
      '404 notFound',
    )
    rmSync(disk('ruled'))
    expect(await restore([folder])).toEqual(['/ruled'])
    expect(readFileSync(disk('ruled/closed/secret'), 'utf8')).toBe('ruled/closed/secret')
  })

  test('no version is read without the right to download', async () => {
    writeFileSync(disk('unread'), 'one')
    await app.anna.call('PUT', at('/unread'), 'two')
    const [version] = await versions('/unread')
    const blind = await app.person(
      'blind',
      '--scope',
      '/anna',
      '--perm.download=false',
      '--perm.share=false',
    )
    expect(await outcome(blind.call('GET', `${versionsAt('/unread')}?id=${version?.id}`))).toBe(
      '403 forbidden',
    )
  })

  test('no operation and no share reaches the trash by its name', async () => {
    writeFileSync(join(app.root, 'reached'), 'reached')
    await remove('/reached', app.admin)
    const [name] = kept()
    for (const path of ['/.filemgr/trash', `/.filemgr/trash/${name}`]) {
      expect(await outcome(app.admin.call('GET', at(path)))).toBe('403 forbidden')
      expect(await outcome(app.admin.call('GET', API.raw + path))).toBe('403 forbidden')
    }
  })
})

describe('what was deleted', () => {
  test('a deleted file comes back to its place, beside it, or with the folders that are missing', async () => {
    mkdirSync(disk('back/deep'), { recursive: true })
    writeFileSync(disk('back/deep/file'), 'first')
    await remove('/back/deep/file')
    const file = (await item(app.anna, '/back/deep/file'))?.id
    await remove('/back')
    expect(await restore([file])).toEqual(['notFound'])
    expect(await restore([file], { parents: true })).toEqual(['/back/deep/file'])
    expect(readFileSync(disk('back/deep/file'), 'utf8')).toBe('first')
    await remove('/back/deep/file')
    writeFileSync(disk('back/deep/file'), 'second')
    const again = (await item(app.anna, '/back/deep/file'))?.id
    expect(await restore([again])).toEqual(['conflict'])
    expect(await restore([again], { beside: true })).toEqual(['/back/deep/file(1)'])
    expect(readFileSync(disk('back/deep/file(1)'), 'utf8')).toBe('first')
    expect(await restore([again])).toEqual(['notFound'])
  })

  test('a deleted file brings its public links with it, also to another place', async () => {
    mkdirSync(disk('linked'))
    writeFileSync(disk('linked/file'), 'linked')
    const share = await (await app.anna.call('POST', `${API.share}/linked`, {})).json()
    const look = () =>
      outcome(app.anonymous.call('GET', `${API.publicDownload}/${share.hash}/file`))
    expect(await look()).toBe('200')
    await remove('/linked')
    expect(await look()).toBe('404 notFound')
    mkdirSync(disk('linked'))
    const other = await (await app.anna.call('POST', `${API.share}/linked`, {})).json()
    const id = (await item(app.anna, '/linked'))?.id
    expect(await restore([id], { beside: true })).toEqual(['/linked(1)'])
    expect(await look()).toBe('200')
    expect(await (await app.anna.call('GET', `${API.share}/linked`)).json()).toMatchObject([
      { hash: other.hash },
    ])
  })

  test('a public link returns with its folder if its owner or an administrator restores it, and is counted', async () => {
    const bob = await app.person('bobby', '--scope', '/anna')
    for (const [who, shares] of [
      [bob, 0],
      [app.anna, 1],
      [app.admin, 1],
    ] as const) {
      mkdirSync(disk('public'), { recursive: true })
      writeFileSync(disk('public/plan'), 'plan')
      const share = await (await app.anna.call('POST', `${API.share}/public`, {})).json()
      await remove('/public')
      const path = who === app.admin ? '/anna/public' : '/public'
      const id = (await item(who, path))?.id
      const answer = await who.call('POST', API.trash, { ids: [id] })
      expect(await answer.json()).toMatchObject([{ path, shares }])
      const visit = app.anonymous.call('GET', `${API.publicShare}/${share.hash}`)
      expect(await outcome(visit)).toBe(shares === 1 ? '200' : '404 notFound')
      await app.anna.call('DELETE', `${API.share}/${share.hash}`)
    }
  })

  test('an undo of a deletion brings back the public links of others', async () => {
    mkdirSync(disk('un-removed'), { recursive: true })
    const share = await (await app.anna.call('POST', `${API.share}/un-removed`, {})).json()
    const bob = await app.person('undoer', '--scope', '/anna')
    const removal = await bob.call('DELETE', `${API.resources}/un-removed`)
    const entry = Number(removal.headers.get('X-Journal-Id'))
    expect((await bob.call('POST', `${API.journal}/undo`, { id: entry })).status).toBe(200)
    const visit = app.anonymous.call('GET', `${API.publicShare}/${share.hash}`)
    expect(await outcome(visit)).toBe('200')
  })

  test('a restored file brings no public link to what its owner has under that path by now', async () => {
    for (const folder of ['one', 'two']) {
      mkdirSync(disk(folder))
      writeFileSync(disk(`${folder}/plan`), folder)
    }
    const owner = await app.person('mover', '--scope', '/anna/one')
    const share = await (await owner.call('POST', `${API.share}/plan`, {})).json()
    await remove('/one/plan')
    await app.runCommand('users', 'update', 'mover', '--scope', '/anna/two')
    const id = (await item(app.admin, '/anna/one/plan'))?.id
    // An administrator who restores brings the links of everybody back.
    expect(await restore([id], {}, app.admin)).toEqual(['/anna/one/plan'])
    expect(await outcome(app.anonymous.call('GET', `${API.publicDownload}/${share.hash}`))).toBe(
      '404 notFound',
    )
  })

  test('deleted files are told beside the free space, and go permanently when the trash is emptied', async () => {
    const usage = async (): Promise<UserUsage> =>
      (await app.anna.call('GET', `${API.usage}/`)).json()
    writeFileSync(disk('large'), new Uint8Array(64 * MIB).fill(1))
    const before = await usage()
    await remove('/large')
    const after = await usage()
    // A write removes nothing of the last ten minutes.
    expect(after.free - before.free).toBeLessThan(32 * MIB)
    expect((after.trash?.bytes ?? 0) - (before.trash?.bytes ?? 0)).toBeGreaterThanOrEqual(64 * MIB)
    await remove('/none')
    expect(await outcome(app.anna.call('DELETE', API.trash))).toBe('400 badRequest')
    expect(await outcome(app.anna.call('DELETE', `${API.trash}?all=true`))).toBe('204')
    expect((await trash(app.anna)).filter(({ username }) => username === 'anna')).toEqual([])
    const emptied = await usage()
    expect(emptied.free - after.free).toBeGreaterThan(32 * MIB)
    expect(emptied.trash?.bytes).toBeLessThan(MIB)
  })
})

describe('an earlier version', () => {
  test('an earlier version is listed, read and restored; what it replaces becomes one', async () => {
    await app.anna.call('POST', at('/versioned'), 'one')
    await app.anna.call('PUT', at('/versioned'), 'two')
    await app.anna.call('POST', `${at('/versioned')}?override=true`, 'three')
    const [two, one] = await versions('/versioned')
    expect([two?.size, one?.size]).toEqual([3, 3])
    const read = async (id?: number) =>
      (await app.anna.call('GET', `${versionsAt('/versioned')}?id=${id}`)).text()
    expect([await read(two?.id), await read(one?.id)]).toEqual(['two', 'one'])
    expect(await read(9999)).toContain('There is no such version of this file.')
    writeFileSync(disk('unversioned'), 'other')
    const elsewhere = `${versionsAt('/unversioned')}?id=${one?.id}`
    expect(await outcome(app.anna.call('GET', elsewhere))).toBe('404 notFound')
    const back = app.anna.call('POST', `${versionsAt('/versioned')}?id=${one?.id}`)
    expect(await outcome(back)).toBe('200')
    expect(readFileSync(disk('versioned'), 'utf8')).toBe('one')
    const contents = await Promise.all((await versions('/versioned')).map(({ id }) => read(id)))
    expect(contents).toEqual(['three', 'two'])
  })

  test('earlier versions follow a move of their file', async () => {
    await app.anna.call('POST', at('/before'), 'one')
    await app.anna.call('PUT', at('/before'), 'two')
    await app.anna.call(
      'PATCH',
      urls.move(parsePath('/before'), { action: 'rename', destination: parsePath('/afterwards') }),
    )
    expect((await versions('/afterwards')).map(({ path }) => path)).toEqual(['/afterwards'])
  })

  test('a version from a place that a user may not see stays closed to them where its file is now', async () => {
    for (const folder of ['closed', 'open']) mkdirSync(disk(folder))
    await app.person('onlooker', '--scope', '/anna')
    await app.runCommand('rules', 'add', '--user', 'onlooker', '/closed')
    const reader = await signIn(app.url, 'onlooker', PASSWORD)
    await app.anna.call('POST', at('/closed/pay'), 'secret')
    await app.anna.call('PUT', at('/closed/pay'), 'public')
    await app.anna.call(
      'PATCH',
      urls.move(parsePath('/closed/pay'), {
        action: 'rename',
        destination: parsePath('/open/pay'),
      }),
    )
    const [version] = await versions('/open/pay')
    expect(version?.size).toBe(6)
    const seen = await (await reader.call('GET', versionsAt('/open/pay'))).json()
    expect(seen).toEqual([])
    const byId = reader.call('GET', `${versionsAt('/open/pay')}?id=${version?.id}`)
    expect(await outcome(byId)).toBe('404 notFound')
  })

  test('versions of a deleted file do not belong to the next file of that name, and return with their file', async () => {
    const write = (method: string, text: string) => app.anna.call(method, at('/reused/diary'), text)
    mkdirSync(disk('reused'))
    await write('POST', 'first')
    await write('PUT', 'second')
    const [first] = await versions('/reused/diary')
    await remove('/reused/diary')
    await write('POST', 'another')
    expect(await versions('/reused/diary')).toEqual([])
    const byId = app.anna.call('GET', `${versionsAt('/reused/diary')}?id=${first?.id}`)
    expect(await outcome(byId)).toBe('404 notFound')
    const id = (await item(app.anna, '/reused/diary'))?.id
    expect(await restore([id], { beside: true })).toEqual(['/reused/diary(1)'])
    expect((await versions('/reused/diary(1)')).map((one) => one.id)).toEqual([first?.id ?? 0])
    expect(await versions('/reused/diary')).toEqual([])
    await remove('/reused/diary(1)')
    const gone = (await item(app.anna, '/reused/diary(1)'))?.id
    expect(await outcome(app.anna.call('DELETE', `${API.trash}?id=${gone}`))).toBe('204')
    writeFileSync(disk('reused/diary(1)'), 'of somebody else')
    expect(await versions('/reused/diary(1)')).toEqual([])
  })

  describe('of each of two deleted files with the same path', () => {
    const write = async (path: string, ...texts: string[]) => {
      const [first = '', ...others] = texts
      expect(await outcome(app.anna.call('POST', at(path), first))).toBe('200')
      for (const text of others)
        expect(await outcome(app.anna.call('PUT', at(path), text))).toBe('200')
    }
    const move = (from: string, to: string) =>
      outcome(
        app.anna.call(
          'PATCH',
          urls.move(parsePath(from), { action: 'rename', destination: parsePath(to) }),
        ),
      )
    const contents = async (path: string) =>
      Promise.all(
        (await versions(path)).map(async ({ id }) =>
          (await app.anna.call('GET', `${versionsAt(path)}?id=${id}`)).text(),
        ),
      )
    /** Deletes a file. @returns its id in the trash, and that of the journal entry */
    const removed = async (path: string) => {
      const answer = await app.anna.call('DELETE', at(path))
      const entry = Number(answer.headers.get(JOURNAL_HEADER))
      return { id: (await item(app.anna, path))?.id, entry }
    }
    const change = (what: 'undo' | 'redo', id: number) =>
      outcome(app.anna.call('POST', `${API.journal}/${what}`, { id }))

    test('a permanent deletion of the second keeps the versions of the first', async () => {
      await write('/twice', 'old 1', 'old 2')
      const first = await removed('/twice')
      await write('/twice', 'new 1', 'new 2')
      const second = await removed('/twice')
      expect(await purge(second.id)).toBe('204')
      expect(await restore([first.id])).toEqual(['/twice'])
      expect(await contents('/twice')).toEqual(['old 1'])
    })

    test('the versions of the first stay with it when the second gets another name, also below a folder', async () => {
      mkdirSync(disk('over'))
      await write('/over/again', 'old 1', 'old 2')
      const first = await removed('/over')
      mkdirSync(disk('over'))
      await write('/over/again', 'new 1', 'new 2')
      const second = await removed('/over')
      mkdirSync(disk('over'))
      await write('/over/again', 'newest 1', 'newest 2')
      expect(await restore([second.id], { beside: true })).toEqual(['/over(1)'])
      expect(await contents('/over(1)/again')).toEqual(['new 1'])
      expect(await contents('/over/again')).toEqual(['newest 1'])
      expect(await move('/over', '/other')).toBe('200')
      expect(await contents('/other/again')).toEqual(['newest 1'])
      expect(await restore([first.id])).toEqual(['/over'])
      expect(await contents('/over/again')).toEqual(['old 1'])
    })

    test('a renamed new file does not show the versions of the deleted one', async () => {
      await write('/taken', 'old 1', 'old 2')
      const first = await removed('/taken')
      await write('/taken', 'new 1', 'new 2')
      expect(await contents('/taken')).toEqual(['new 1'])
      expect(await move('/taken', '/named')).toBe('200')
      expect(await contents('/named')).toEqual(['new 1'])
      expect(await restore([first.id])).toEqual(['/taken'])
      expect(await contents('/taken')).toEqual(['old 1'])
    })

    test('undo and redo of a deletion take the versions along, whatever was deleted later', async () => {
      await write('/undone', 'old 1', 'old 2')
      const first = await removed('/undone')
      await write('/undone', 'new 1', 'new 2')
      const second = await removed('/undone')
      expect(await change('undo', first.entry)).toBe('200')
      expect(await contents('/undone')).toEqual(['old 1'])
      expect(await change('redo', first.entry)).toBe('200')
      expect(await restore([second.id])).toEqual(['/undone'])
      expect(await contents('/undone')).toEqual(['new 1'])
      expect(await move('/undone', '/moved')).toBe('200')
      expect(await change('undo', first.entry)).toBe('200')
      expect(await contents('/undone')).toEqual(['old 1'])
    })

    test('a restore follows no link that has replaced the folder, and takes the versions along when the folder is back', async () => {
      mkdirSync(disk('aliased'))
      await write('/aliased/file', 'old 1', 'old 2')
      const { id } = await removed('/aliased/file')
      renameSync(disk('aliased'), disk('behind-alias'))
      symlinkSync('behind-alias', disk('aliased'))
      for (const who of [app.anna, app.admin]) {
        for (const how of [{}, { parents: true }, { beside: true }]) {
          expect(await restore([id], how, who)).toEqual(['outside'])
        }
      }
      expect(readdirSync(disk('behind-alias'))).toEqual([])
      rmSync(disk('aliased'))
      renameSync(disk('behind-alias'), disk('aliased'))
      expect(await restore([id])).toEqual(['/aliased/file'])
      expect(await contents('/aliased/file')).toEqual(['old 1'])
    })
  })
})

describe('how much is kept', () => {
  test('the trash keeps nothing where it is off, and nothing of the folders that the option names', async () => {
    const folder = temporaryFolder()
    for (const [args, keeps] of [
      [['--trash=false'], []],
      [['--trash-except', '/scratch,/other'], ['/file']],
    ] as const) {
      const server = await startServer({ args: [...args] })
      const admin = await signIn(server.url, 'admin', server.password)
      mkdirSync(join(server.root, 'scratch'))
      for (const name of ['file', 'scratch/file']) {
        writeFileSync(join(server.root, name), name)
        expect(await remove(`/${name}`, admin)).toBe('204')
        expect(existsSync(join(server.root, name))).toBe(false)
      }
      expect((await trash(admin)).map(({ path }) => path)).toEqual([...keeps])
      expect(readdirSync(join(server.root, '.filemgr/trash')).length).toBe(keeps.length)
      await server.stop()
    }
    folder.remove()
  })

  test('only the newest versions of a file are kept, up to the limit', async () => {
    const server = await startServer({ args: ['--trash-versions', '2'] })
    const admin = await signIn(server.url, 'admin', server.password)
    await admin.call('POST', at('/many'), '0')
    for (const text of ['1', '2', '3', '4']) await admin.call('PUT', at('/many'), text)
    let found = await versions('/many', admin)
    while (found.length > 2) {
      await Bun.sleep(50)
      found = await versions('/many', admin)
    }
    const contents = await Promise.all(
      found.map(async ({ id }) =>
        (await admin.call('GET', `${versionsAt('/many')}?id=${id}`)).text(),
      ),
    )
    expect(contents).toEqual(['3', '2'])
    await server.stop()
  })
})
