/** After the loss of the database, trash and versions are rebuilt from the records beside their content. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '#server/access/scope/scope.ts'
import { Scopes } from '#server/access/scope/scopes.ts'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { openTree, type Tree } from '#server/tree.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../support/files/tree.ts'
import { STORAGE_OPTIONS } from '../../support/storage/served.ts'

let folder: ReturnType<typeof temporaryFolder>
let opened: { core: Awaited<ReturnType<typeof openCore>>; tree: Tree } | undefined
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(root())
})
afterEach(async () => {
  await close()
  folder.remove()
})

const root = (...names: string[]) => join(folder.path, 'root', ...names)
const trashed = () => readdirSync(root('.filemgr/trash')).toSorted()
const recorded = () => readdirSync(root('.filemgr/trash-records')).toSorted()
async function open(): Promise<NonNullable<typeof opened>> {
  const flags = { database: join(folder.path, 'f.db'), root: root(), durability: 'relaxed' }
  const core = await openCore(loadConfig({ flags, env: {} }))
  opened = { core, tree: await openTree(root(), core.config, core) }
  return opened
}
async function close(): Promise<void> {
  opened?.tree.close()
  await opened?.core.close()
  opened = undefined
}
function scope(): Scope {
  if (!opened) throw new Error('Nothing is open.')
  const { storage, journal } = opened.tree
  const noHook = async () => undefined
  const scopes = new Scopes(
    storage,
    { get: () => [], refresh: async () => undefined },
    opened.core.shares,
    noHook,
    journal,
  )
  const perm = permissionsOf('admin')
  return scopes.of({ id: 1, username: 'anna', perm, scope: '/', rules: [], hideDotfiles: false })
}
const listed = async () => {
  const items = await opened?.tree.userTrash.list(scope(), Number.MAX_SAFE_INTEGER, 10)
  return items?.map(({ path, username, atMs }) => ({ path, username, atMs }))
}
const versions = async (path: string) =>
  (await opened?.tree.userTrash.versions(scope(), parsePath(path)))?.map(({ id }) => id)
/** The database is lost while no server runs. */
async function loseDatabase(): Promise<void> {
  await close()
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(folder.path, `f.db${ending}`), { force: true })
}

test('a deleted file and versions are in the lists of a new database, and can be restored', async () => {
  const { tree } = await open()
  writeFileSync(root('saved'), 'first')
  await scope().write(parsePath('/saved'), Buffer.from('second'), { overwrite: true })
  writeFileSync(root('gone'), 'gone')
  await scope().write(parsePath('/gone'), Buffer.from('gone again'), { overwrite: true })
  await scope().remove(parsePath('/gone'))
  await tree.trash.prune()
  const before = await listed()
  await loseDatabase()
  await open()
  expect(await listed()).toEqual([])
  await opened?.tree.trash.prune()
  expect(await listed()).toEqual(before)
  expect(await versions('/saved')).toHaveLength(1)
  const [item] = (await opened?.tree.userTrash.list(scope(), Number.MAX_SAFE_INTEGER, 10)) ?? []
  await opened?.tree.userTrash.restore(scope(), item?.id ?? 0, parsePath('/gone'), {
    parents: false,
  })
  expect(await Bun.file(root('gone')).text()).toBe('gone again')
  expect(await versions('/gone')).toHaveLength(1)
})

test('a version has the path to which its file was renamed', async () => {
  const { tree } = await open()
  writeFileSync(root('old'), 'first')
  await scope().write(parsePath('/old'), Buffer.from('second'), { overwrite: true })
  await tree.trash.prune()
  await scope().move(parsePath('/old'), parsePath('/new'), { overwrite: false })
  await tree.trash.prune()
  await loseDatabase()
  const next = await open()
  await next.tree.trash.prune()
  expect(await versions('/new')).toHaveLength(1)
})

test('records leave with their content', async () => {
  const { tree } = await open()
  for (const name of ['one', 'two']) {
    writeFileSync(root(name), name)
    await scope().remove(parsePath(`/${name}`))
  }
  await tree.trash.prune()
  expect(recorded()).toEqual(trashed())
  expect(recorded()).toHaveLength(2)
  const [item] = await tree.userTrash.list(scope(), Number.MAX_SAFE_INTEGER, 10)
  await tree.userTrash.restore(scope(), item?.id ?? 0, parsePath('/two'), { parents: false })
  expect(recorded()).toEqual(trashed())
  await tree.trash.empty()
  expect(recorded()).toEqual([])
})

test('content of another server that runs is not taken, nor content without a record', async () => {
  const { tree } = await open()
  for (const name of ['one', 'two']) {
    writeFileSync(root(name), name)
    await scope().remove(parsePath(`/${name}`))
  }
  await tree.trash.prune()
  const [record = ''] = recorded()
  writeFileSync(root('.filemgr/trash-records', record), '{"path":"/one"}')
  await loseDatabase()
  const next = await open()
  const other = await LocalStorage.open(root(), STORAGE_OPTIONS)
  await next.tree.trash.prune()
  expect(await listed()).toEqual([])
  other.close()
  await next.tree.trash.prune()
  expect(await listed()).toHaveLength(1)
  expect(existsSync(root('.filemgr/trash', record))).toBe(true)
})
