/** Rules and symbolic links: a path that a rule denies is also denied through links. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Scope } from '#server/access/scope/scope.ts'
import { Scopes } from '#server/access/scope/scopes.ts'
import { recursive } from '#server/files/listing/recursive.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
let scope: Scope
beforeEach(async () => {
  folder = temporaryFolder()
  storage = await LocalStorage.open(folder.path, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  mkdirSync(disk('private/deep'), { recursive: true })
  mkdirSync(disk('box'))
  writeFileSync(disk('private/secret'), 'SECRET')
  writeFileSync(disk('box/plain'), 'plain')
  symlinkSync('../private', disk('box/way'))
  symlinkSync('../private/secret', disk('box/file'))
  mkdirSync(disk('open/closed'), { recursive: true })
  mkdirSync(disk('way-in'))
  symlinkSync('../open', disk('way-in/door'))
  const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf('create', 'rename', 'modify', 'delete', 'share', 'download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [deny('/private'), deny('/open/closed')],
    hideDotfiles: false,
  }
  scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
})
afterEach(() => {
  storage.close()
  folder.remove()
})

function disk(name: string): string {
  return join(folder.path, name)
}
const at = parsePath

test('no operation reaches a denied file through a link', async () => {
  const bytes = new TextEncoder().encode('x')
  const operations: Record<string, () => Promise<unknown>> = {
    stat: () => scope.stat(at('/box/file')),
    list: () => scope.list(at('/box/way')),
    read: () => scope.read(at('/box/way/secret')),
    write: () => scope.write(at('/box/way/new'), bytes, { overwrite: true }),
    save: () => scope.save(at('/box/file'), bytes, () => true),
    mkdir: () => scope.mkdir(at('/box/way/made')),
    remove: () => scope.remove(at('/box/way/secret')),
    'move away': () => scope.move(at('/box/way/secret'), at('/taken'), { overwrite: true }),
    'move there': () => scope.move(at('/box/plain'), at('/box/way/plain'), { overwrite: true }),
    copy: () => scope.copy(at('/box/file'), at('/taken'), { overwrite: true }),
    'copy the folder': () => scope.copy(at('/way-in'), at('/taken'), { overwrite: true }),
    usage: () => scope.usage(at('/box/way')),
    watch: () => scope.watch(at('/box/way'), () => undefined),
  }
  for (const [operation, run] of Object.entries(operations)) {
    expect([operation, await code(run())]).toEqual([operation, 'forbidden'])
  }
  expect(existsSync(disk('taken'))).toBe(false)
  expect(existsSync(disk('private/new'))).toBe(false)
})

test('a listing leaves out links to denied files', async () => {
  const nodes = await scope.list(at('/box'))
  expect(nodes.map(({ path }) => path)).toEqual([at('/box/plain')])
  expect(await scope.list(at('/way-in/door'))).toEqual([])
})

test('a rule for the name of a link applies, whatever its target is', async () => {
  symlinkSync('open', disk('name'))
  mkdirSync(disk('names'))
  symlinkSync('../box/plain', disk('names/link'))
  const rules = ['/name', '/names/link'].map((path) => ({
    regex: false,
    allow: false,
    path,
    regexp: null,
  }))
  const ruled = new Scope(storage, { ...scope.actor, rules }, NO_SHARES, async () => undefined)
  const nodes = await ruled.list(ROOT)
  expect(nodes.map(({ path }) => String(path)).sort()).toEqual([
    '/box',
    '/names',
    '/open',
    '/private',
    '/way-in',
  ])
  const moved = ruled.move(at('/names'), at('/moved'), { overwrite: false })
  expect(await code(moved)).toBe('forbidden')
})

test('a copy is refused for a denied file behind a link that it follows', async () => {
  writeFileSync(disk('open/file'), 'SECRET')
  const rules = [{ regex: false, allow: false, path: '/open/file', regexp: null }]
  const ruled = new Scope(storage, { ...scope.actor, rules }, NO_SHARES, async () => undefined)
  expect(await code(ruled.copy(at('/way-in'), at('/taken'), { overwrite: false }))).toBe(
    'forbidden',
  )
  expect(existsSync(disk('taken'))).toBe(false)
})

test('a copy leaves out links to denied files', async () => {
  await scope.copy(at('/box'), at('/copy'), { overwrite: false })
  expect(readdirSync(disk('copy'))).toEqual(['plain'])
})

test('a move or copy to a denied destination is refused', async () => {
  mkdirSync(disk('other/deep'), { recursive: true })
  for (const operation of ['move', 'copy'] as const) {
    expect(await code(scope[operation](at('/other'), at('/private'), { overwrite: true }))).toBe(
      'forbidden',
    )
  }
  // Inside what is moved, a name that a rule denies at the destination.
  const narrow = { regex: false, allow: false, path: '/target/deep', regexp: null }
  const actor = { ...scope.actor, rules: [narrow] }
  const other = new Scope(storage, actor, NO_SHARES, async () => undefined)
  for (const operation of ['move', 'copy'] as const) {
    expect(await code(other[operation](at('/other'), at('/target'), { overwrite: false }))).toBe(
      'forbidden',
    )
  }
})

test('a user without the right to replace files replaces none, even if another writer takes the name first', async () => {
  writeFileSync(disk('ours'), 'ours')
  const perm = permissionsOf('create', 'rename', 'download')
  // Another writer, such as an event command, takes the name between the check and the change.
  const hooks = async () => writeFileSync(disk('name'), 'theirs')
  const limited = new Scope(storage, { ...scope.actor, perm, rules: [] }, NO_SHARES, hooks)
  for (const operation of ['move', 'copy'] as const) {
    const work = limited[operation](at('/ours'), at('/name'), { overwrite: true })
    expect(await code(work)).toBe('forbidden')
    expect(await Bun.file(disk('name')).text()).toBe('theirs')
    await Bun.file(disk('name')).delete()
  }
})

test('a home folder that becomes a symbolic link belongs to no user', async () => {
  const scopes = new Scopes(
    storage,
    { get: () => [], refresh: async () => undefined },
    NO_SHARES,
    async () => undefined,
  )
  const { id, username, perm, hideDotfiles } = scope.actor
  const home = scopes.of({ id, username, perm, scope: '/homes/anna', rules: [], hideDotfiles })
  mkdirSync(disk('homes/anna'), { recursive: true })
  expect(await code(home.stat(ROOT))).toBe('no fault')
  renameSync(disk('homes/anna'), disk('homes/old'))
  symlinkSync('../private', disk('homes/anna'))
  expect(await code(home.read(at('/secret')))).toBe('notFound')
  renameSync(disk('homes'), disk('elsewhere'))
  mkdirSync(disk('others/anna'), { recursive: true })
  symlinkSync('others', disk('homes'))
  expect(await code(home.stat(ROOT))).toBe('notFound')
})

test('content below the deepest allowed path can be listed and removed with its folder', async () => {
  const deep = (levels: number) => '/d'.repeat(levels)
  mkdirSync(disk(deep(200)), { recursive: true })
  mkdirSync(disk(`box${deep(200)}`), { recursive: true })
  const into = at(`/box${deep(200)}/more`)
  // The paths of the content would be too deep to apply rules to them.
  expect(await code(scope.move(at('/d'), into, { overwrite: false }))).toBe('badRequest')
  // Another program can move it there.
  renameSync(disk('d'), disk(into))
  const signal = new AbortController().signal
  const flat = await Array.fromAsync(await recursive(scope, at('/box'), signal))
  expect(flat.length).toBeGreaterThan(250)
  expect(await code(scope.remove(at('/box')))).toBe('no fault')
})

test('a write and a save check the entry that has the name at the last moment', async () => {
  const bytes = new TextEncoder().encode('ours')
  const creates = { ...scope.actor, perm: permissionsOf('create'), rules: [] }
  const taken = async () => writeFileSync(disk('name'), 'theirs')
  const writing = new Scope(storage, creates, NO_SHARES, taken)
  expect(await code(writing.write(at('/name'), bytes, { overwrite: true }))).toBe('forbidden')
  expect(await Bun.file(disk('name')).text()).toBe('theirs')

  const { version } = await scope.stat(at('/name'))
  const changed = new Scope(storage, scope.actor, NO_SHARES, async () => {
    writeFileSync(disk('name'), 'changed')
  })
  const saving = changed.save(at('/name'), bytes, (node) => node.version === version)
  expect(await code(saving)).toBe('precondition')
  expect(await Bun.file(disk('name')).text()).toBe('changed')

  const removed = new Scope(storage, scope.actor, NO_SHARES, async ({ hook }) => {
    if (hook === 'before_save') await Bun.file(disk('name')).delete()
  })
  expect(await code(removed.save(at('/name'), bytes, () => true))).toBe('notFound')
  expect(existsSync(disk('name'))).toBe(false)
})
