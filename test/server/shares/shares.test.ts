/** Public shares: who may create and delete them, who opens them, and which changes of names they follow. */
import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scopes } from '#server/access/scope/scopes.ts'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { openDatabase } from '#server/db/open.ts'
import { ShareRows } from '#server/db/rows/shares.ts'
import type { StoredUser } from '#server/db/rows/users.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { ShareOpener } from '#server/shares/share-opener.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { NewShare } from '#wire/api/share.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

const CHEAP = { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 } as const

let folder: ReturnType<typeof temporaryFolder>
let core: Awaited<ReturnType<typeof openCore>>
let db: ReturnType<typeof openDatabase>
let rows: ShareRows
let storage: LocalStorage
let scopes: Scopes
let open: ShareOpener
/** Passwords that were compared. */
let tried: string[]
let anna: StoredUser
let bob: StoredUser
let admin: StoredUser
beforeEach(async () => {
  folder = temporaryFolder()
  for (const name of ['anna/pub/sub', 'anna/box', 'bob']) {
    mkdirSync(disk(name), { recursive: true })
  }
  for (const name of ['anna/own', 'anna/pub/in', 'anna/box/in', 'bob/own']) {
    writeFileSync(disk(name), name)
  }
  const database = join(folder.path, 'f.db')
  core = await openCore(loadConfig({ flags: { database }, env: {} }))
  db = openDatabase(database)
  rows = new ShareRows(new SqliteDatabase(db, async () => undefined))
  const passwordHash = await Bun.password.hash('password', CHEAP)
  const account = (name: string, scope: string, ...perm: Permission[]) =>
    core.users.createHashed(name, passwordHash, { scope, perm: permissionsOf(...perm) })
  admin = await account('admin', '/', 'admin')
  anna = await account('anna', '/anna', 'rename', 'delete', 'share', 'download')
  bob = await account('bob', '/bob', 'share', 'download')
  storage = await LocalStorage.open(disk(''), {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  scopes = new Scopes(
    storage,
    { get: () => [], refresh: async () => undefined },
    core.shares,
    async () => undefined,
  )
  tried = []
  open = new ShareOpener(core.shares, core.rows.users, scopes, async (share, password) => {
    tried.push(password)
    return Bun.password.verify(password, share.passwordHash)
  })
})
afterEach(async () => {
  setSystemTime()
  storage.close()
  db.close()
  await core.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, 'root', name)
const at = parsePath
const code = (work: () => Promise<unknown>) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'no fault',
      (error) => (error instanceof Fault ? error.code : error),
    )
const share = (path: string, options: NewShare = {}, by = anna) =>
  core.shares.create(scopes.of(by), at(path), options)
const live = async () => (await core.shares.listAll()).map(({ hash }) => hash)
const visit = (
  hash: string,
  asked = '/',
  credentials: { password?: string; token?: string } = {},
) =>
  open.open(hash, at(asked), {
    password: credentials.password,
    token: credentials.token,
    address: '192.0.2.1',
  })

/** Changes the path of a share to one of an entry of another kind. */
const setPath = (hash: string, path: string) =>
  rows.change([{ hash, path: at(path), realPath: at(path) }], [])

test('creating, listing and deleting shares needs the rights share and download', async () => {
  const { hash } = await share('/own')
  for (const perm of [['share'], ['download']] as Permission[][]) {
    const scope = scopes.of({ ...anna, perm: permissionsOf(...perm) })
    expect(await code(() => core.shares.create(scope, at('/own'), {}))).toBe('forbidden')
    expect(await code(() => core.shares.list(scope))).toBe('forbidden')
    expect(await code(() => core.shares.listFor(scope, at('/own')))).toBe('forbidden')
    expect(await code(() => core.shares.remove(scope, hash))).toBe('forbidden')
  }
  expect(await live()).toEqual([hash])
})

test('users see and delete their own shares, administrators those of all users', async () => {
  const { hash } = await share('/own')
  expect(await core.shares.list(scopes.of(bob))).toEqual([])
  expect(await core.shares.listFor(scopes.of(bob), at('/own'))).toEqual([])
  expect(await core.shares.listFor(scopes.of(anna), at('/own'))).toHaveLength(1)
  expect(await core.shares.listFor(scopes.of(anna), at('/pub'))).toEqual([])
  expect(await core.shares.listFor(scopes.of(admin), at('/anna/own'))).toHaveLength(1)
  expect(await core.shares.listFor(scopes.of(admin), at('/own'))).toEqual([])
  expect(await code(() => core.shares.remove(scopes.of(bob), hash))).toBe('forbidden')
  expect(await core.shares.list(scopes.of(admin))).toHaveLength(1)
  await core.shares.remove(scopes.of(admin), hash)
  expect(await live()).toEqual([])
})

test('pipes, dangling links and missing files are not shared', async () => {
  Bun.spawnSync(['mkfifo', disk('anna/pipe')])
  symlinkSync('nowhere', disk('anna/dangling'))
  for (const path of ['/pipe', '/dangling', '/nothing']) {
    expect(await code(() => share(path))).toBe('notFound')
  }
})

test('an expired share does not open, and its row is deleted by the next list or new share', async () => {
  const { hash } = await share('/own', { expires: '10', unit: 'seconds' })
  expect(await code(() => visit(hash))).toBe('no fault')
  setSystemTime(Date.now() + 11_000)
  expect(await core.shares.find(hash)).toBeUndefined()
  expect(await code(() => visit(hash))).toBe('notFound')
  expect(await rows.find(hash)).toBeDefined()
  expect(await live()).toEqual([])
  expect(await rows.find(hash)).toBeUndefined()
  const another = await share('/own', { expires: '10', unit: 'seconds' })
  setSystemTime(Date.now() + 11_000)
  await share('/own')
  expect(await rows.find(another.hash)).toBeUndefined()
})

test('a share with a password opens with the complete password or token only', async () => {
  const made = await share('/own', { password: 'open sesame' })
  for (const credentials of [
    {},
    { password: '' },
    { password: 'open' },
    { token: '' },
    { token: made.token.slice(0, -1) },
    { token: `${made.token}A` },
  ]) {
    expect(await code(() => visit(made.hash, '/', credentials))).toBe('unauthenticated')
  }
  expect(tried).toEqual(['open'])
  expect(await code(() => visit(made.hash, '/', { password: 'open sesame' }))).toBe('no fault')
  expect(await code(() => visit(made.hash, '/', { token: made.token }))).toBe('no fault')
  expect(made.token.length).toBeGreaterThanOrEqual(128)
  expect(made.hash.length).toBeGreaterThanOrEqual(16)
  const another = await share('/pub', { password: 'another' })
  expect(await code(() => visit(another.hash, '/', { token: made.token }))).toBe('unauthenticated')
})

test('a share of a file opens only that file, and a share of a folder only what is inside', async () => {
  const { hash } = await share('/own')
  expect(await visit(hash)).toMatchObject({ path: '/own' })
  expect(await visit(hash, '/own')).toMatchObject({ path: '/own' })
  // Old links contain the whole path of the file, which means nothing.
  expect(await visit(hash, '/pub/in')).toMatchObject({ path: '/own' })
  const { scope } = await visit((await share('/pub')).hash)
  expect(await code(() => scope.stat(at('/in')))).toBe('no fault')
  expect(await code(() => scope.stat(at('/own')))).toBe('notFound')
})

test('a share checks the present rights and rules of its owner at each request', async () => {
  const { hash } = await share('/pub')
  await core.users.update(anna.id, { perm: permissionsOf('download') })
  expect(await code(() => visit(hash))).toBe('forbidden')
  await core.users.update(anna.id, { perm: permissionsOf('share', 'download') })
  const denied = { regex: false, allow: false, path: '/pub', regexp: null }
  await core.users.update(anna.id, { rules: [denied] })
  expect(await code(() => visit(hash))).toBe('forbidden')
  await core.users.update(anna.id, { rules: [] })
  expect(await code(() => visit(hash))).toBe('no fault')
  await core.users.remove(anna.id)
  expect(await code(() => visit(hash))).toBe('notFound')
})

test('a share of a folder does not open if a file has replaced it, nor the reverse', async () => {
  const [folder, file] = [await share('/pub'), await share('/own')]
  await setPath(folder.hash, '/own')
  await setPath(file.hash, '/pub')
  for (const { hash } of [folder, file]) expect(await code(() => visit(hash))).toBe('notFound')
})

test('a share follows a move of its file; it is removed if the file leaves the home folder or is deleted', async () => {
  const [inside, beside, own] = [await share('/pub/sub'), await share('/box'), await share('/own')]
  // Names that begin like that of the deleted folder.
  for (const name of ['box2', 'box-']) mkdirSync(disk(`anna/${name}`))
  const like = [(await share('/box2')).hash, (await share('/box-')).hash]
  const scope = scopes.of(admin)
  await scope.move(at('/anna/pub'), at('/anna/moved'), { overwrite: false })
  expect(await code(() => visit(inside.hash))).toBe('no fault')
  expect(await core.shares.find(inside.hash)).toMatchObject({ path: '/moved/sub' })
  await scope.move(at('/anna/moved'), at('/bob/moved'), { overwrite: false })
  expect((await live()).sort()).toEqual([beside.hash, own.hash, ...like].sort())
  await scope.remove(at('/anna/box'))
  expect((await live()).sort()).toEqual([own.hash, ...like].sort())
})

test('an imported folder that is renamed before its first visit opens', async () => {
  const { hash, ...made } = await share('/pub')
  await core.shares.remove(scopes.of(anna), hash)
  const imported = { ...made, hash, realPath: undefined, isFolder: false }
  await core.shares.importShares([imported], { overwrite: false })
  await scopes.of(admin).move(at('/anna/pub'), at('/anna/moved'), { overwrite: false })
  const { scope } = await visit(hash)
  expect(await code(() => scope.stat(at('/in')))).toBe('no fault')
  expect(await core.shares.find(hash)).toMatchObject({
    path: '/moved',
    realPath: '/moved',
    isFolder: true,
  })
})

test('a share through a symbolic link is removed if the target is moved', async () => {
  symlinkSync('box', disk('anna/way'))
  const { hash } = await share('/way/in')
  await scopes.of(admin).move(at('/anna/box/in'), at('/anna/out'), { overwrite: false })
  expect(await live()).toEqual([])
  expect(await code(() => visit(hash))).toBe('notFound')
})

test('the root of a scope can be shared', async () => {
  const { hash } = await share('/')
  const { scope, path } = await visit(hash)
  expect(String(path)).toBe(String(ROOT))
  expect(await code(() => scope.stat(at('/pub')))).toBe('no fault')
})
