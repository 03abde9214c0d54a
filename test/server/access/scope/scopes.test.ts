/** The scopes of a user and of share visitors on one tree: what each of them may see and do. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '#server/access/scope/scope.ts'
import { type ScopeOwner, Scopes } from '#server/access/scope/scopes.ts'
import { LocalStorage } from '#server/storage/local/local-storage.ts'
import type { Rule } from '#wire/api/user.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../../../support/files/tree.ts'
import { code } from '../../../support/storage/served.ts'

let folder: ReturnType<typeof temporaryFolder>
let storage: LocalStorage
let globalRules: Rule[]
/** What the path listener received. */
let received: string[]
let scopes: Scopes
beforeEach(async () => {
  folder = temporaryFolder()
  for (const name of ['home/pub/closed', 'home/.hidden/pub', 'home/private', 'other']) {
    mkdirSync(disk(name), { recursive: true })
  }
  for (const name of [
    'home/pub/open.txt',
    'home/pub/.dot',
    'home/pub/closed/in.txt',
    'home/.hidden/pub/in.txt',
    'other/in.txt',
  ]) {
    writeFileSync(disk(name), name)
  }
  symlinkSync('../other', disk('home/away'))
  storage = await LocalStorage.open(folder.path, {
    fileMode: 0o640,
    folderMode: 0o750,
    ownPaths: { files: [], folders: [] },
  })
  globalRules = []
  received = []
  const listener = {
    moved: async (from: string, to: string) => void received.push(`${from} to ${to}`),
    removed: async (path: string) => void received.push(path),
  }
  scopes = new Scopes(
    storage,
    { get: () => globalRules, refresh: async () => undefined },
    listener,
    async () => undefined,
  )
})
afterEach(() => {
  storage.close()
  folder.remove()
})

const disk = (name: string) => join(folder.path, name)
const at = parsePath
const rule = (path: string, allow = false): Rule => ({ regex: false, allow, path, regexp: null })
const anna = (changes: Partial<ScopeOwner> = {}): ScopeOwner => ({
  id: 1,
  username: 'anna',
  perm: permissionsOf('admin'),
  scope: '/home',
  rules: [],
  hideDotfiles: false,
  ...changes,
})
/** The scope of a visitor of a share whose path contains no symbolic link. */
const shared = (owner: ScopeOwner, path: string) => scopes.shared(owner, at(path), at(path))
const names = async (scope: Scope, path = '/') =>
  (await scope.list(at(path))).map((node) => String(node.path)).sort()

describe('a user', () => {
  test('a user has the scope as root, and reaches nothing above or beside it', async () => {
    expect(await names(scopes.of(anna()))).toEqual(['/.hidden', '/private', '/pub'])
    expect(await code(scopes.of(anna()).stat(at('/away/in.txt')))).toBe('outside')
  })

  test('global rules apply to a user, and the user’s own rules apply last', async () => {
    globalRules = [rule('/pub')]
    expect(await code(scopes.of(anna()).stat(at('/pub')))).toBe('forbidden')
    expect(await code(scopes.of(anna({ rules: [rule('/private')] })).stat(at('/private')))).toBe(
      'forbidden',
    )
    expect(await code(scopes.of(anna({ rules: [rule('/pub', true)] })).stat(at('/pub')))).toBe(
      'no fault',
    )
  })

  test('a user who hides dotfiles sees none', async () => {
    expect(await names(scopes.of(anna({ hideDotfiles: true })))).toEqual(['/private', '/pub'])
  })

  test('rights and rules are checked before usage, a watch, and the folder of a program', async () => {
    const allowed = scopes.of(anna())
    using watch = await allowed.watch(ROOT, () => undefined)
    expect(watch).toBeDefined()
    expect((await allowed.usage(ROOT)).total).toBeGreaterThan(0)
    expect(await code(allowed.watch(at('/pub/open.txt'), () => undefined))).toBe('notDirectory')
    const ruled = scopes.of(anna({ rules: [rule('/pub')] }))
    expect(await code(ruled.usage(at('/pub')))).toBe('forbidden')
    expect(await code(ruled.watch(at('/pub'), () => undefined))).toBe('forbidden')
    expect(await code(ruled.programs.openForThumbnailer(at('/pub/open.txt')))).toBe('forbidden')
    const reads = scopes.of(anna({ perm: permissionsOf('execute') }))
    expect(await code(reads.programs.openForThumbnailer(at('/pub/open.txt')))).toBe('forbidden')
    using commandFolder = await allowed.programs.openForThumbnailer(at('/pub/open.txt'))
    expect(String(commandFolder.folder)).toBe('/pub')
  })

  test('a user with the right may start programs if no rule denies anything and nothing is hidden', async () => {
    using commandFolder = await scopes
      .of(anna({ rules: [rule('/pub', true)] }))
      .programs.openForCommand(at('/pub'))
    expect(String(commandFolder.folder)).toBe('/pub')
    const others = permissionsOf('create', 'rename', 'modify', 'delete', 'share', 'download')
    for (const refused of [anna({ perm: others }), anna({ rules: [rule('/private')] })]) {
      expect(await code(scopes.of(refused).programs.openForCommand(at('/pub')))).toBe('forbidden')
    }
    const hiding = scopes.of(anna({ hideDotfiles: true }))
    expect(await code(hiding.programs.openForCommand(at('/.hidden')))).toBe('forbidden')
  })

  test('path listeners receive moves and removals with paths from the served root', async () => {
    symlinkSync('private', disk('home/way'))
    writeFileSync(disk('home/private/moved'), '')
    writeFileSync(disk('home/private/gone'), '')
    const scope = scopes.of(anna())
    await scope.move(at('/way/moved'), at('/way/here'), { overwrite: false })
    await scope.remove(at('/way/gone'))
    expect(received).toEqual([
      '/home/private/moved to /home/private/here',
      '/home/way/moved to /home/way/here',
      '/home/way/gone',
      '/home/private/gone',
    ])
  })
})

describe('a visitor of a share', () => {
  test('a visitor has the shared entry as root, and may only list and download', async () => {
    const visitor = shared(anna(), '/pub')
    expect(await names(visitor)).toEqual(['/.dot', '/closed', '/open.txt'])
    expect(await code(visitor.read(at('/open.txt')))).toBe('no fault')
    const bytes = new Uint8Array(1)
    for (const change of [
      visitor.write(at('/new'), bytes, { overwrite: false }),
      visitor.save(at('/open.txt'), bytes, () => true),
      visitor.mkdir(at('/new')),
      visitor.remove(at('/open.txt')),
      visitor.move(at('/open.txt'), at('/new'), { overwrite: false }),
      visitor.copy(at('/open.txt'), at('/new'), { overwrite: false }),
      visitor.programs.openForCommand(ROOT),
    ]) {
      expect(await code(change)).toBe('forbidden')
    }
  })

  test('global rules and the rules of the owner apply to a visitor, from the owner’s root', async () => {
    globalRules = [rule('/pub/closed')]
    expect(await names(shared(anna(), '/pub'))).toEqual(['/.dot', '/open.txt'])
    globalRules = []
    const ruled = anna({ rules: [rule('/pub/open.txt')] })
    expect(await names(shared(ruled, '/pub'))).toEqual(['/.dot', '/closed'])
  })

  test('a visitor sees no hidden files of an owner who hides them, and nothing in a hidden folder', async () => {
    const hiding = anna({ hideDotfiles: true })
    expect(await names(shared(hiding, '/pub'))).toEqual(['/closed', '/open.txt'])
    const hidden = shared(hiding, '/.hidden/pub')
    expect(await code(hidden.stat(at('/in.txt')))).toBe('forbidden')
  })

  test('rules for the target of a symbolic link apply to a visitor', async () => {
    symlinkSync('pub', disk('home/way'))
    const ruled = anna({ rules: [rule('/pub/closed')] })
    expect(await names(scopes.shared(ruled, at('/way'), at('/pub')))).toEqual([
      '/.dot',
      '/open.txt',
    ])
    const other = anna({ rules: [rule('/way/closed')] })
    expect(await names(scopes.shared(other, at('/way'), at('/pub')))).toEqual([
      '/.dot',
      '/open.txt',
    ])
  })

  test('a visitor finds nothing if a symbolic link has replaced the shared entry', async () => {
    const visitor = shared(anna(), '/pub')
    expect(await code(visitor.stat(ROOT))).toBe('no fault')
    renameSync(disk('home/pub'), disk('home/was'))
    symlinkSync('private', disk('home/pub'))
    expect(await code(visitor.stat(ROOT))).toBe('notFound')
  })

  test('a visitor finds nothing if a symbolic link has replaced the owner’s home folder', async () => {
    const [visitor, owner] = [shared(anna(), '/pub'), scopes.of(anna())]
    expect(await code(owner.stat(at('/pub')))).toBe('no fault')
    renameSync(disk('home'), disk('was'))
    symlinkSync('was', disk('home'))
    expect([await code(visitor.stat(ROOT)), await code(owner.stat(at('/pub')))]).toEqual([
      'notFound',
      'notFound',
    ])
  })

  test('a visitor cannot follow a symbolic link that leaves the owner’s home folder', async () => {
    expect(await code(scopes.shared(anna(), at('/away'), undefined).stat(at('/in.txt')))).toBe(
      'outside',
    )
  })
})

test('new global rules apply to the next request of a user whose row has not changed', async () => {
  const user = anna()
  expect(await code(scopes.of(user).stat(at('/private')))).toBe('no fault')
  globalRules = [rule('/private')]
  expect(await code(scopes.of(user).stat(at('/private')))).toBe('forbidden')
  globalRules = []
  expect(await code(scopes.of(user).stat(at('/private')))).toBe('no fault')
})
