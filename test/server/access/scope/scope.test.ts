import { beforeEach, describe, expect, test } from 'bun:test'
import type { EventHook } from '#server/access/file-events.ts'
import { Scope } from '#server/access/scope/scope.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Rule } from '#wire/api/user.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { type Permission, permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

const text = (content: string) => new TextEncoder().encode(content)
const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })

let storage: Storage

function scope(
  perm: Permission[],
  options: { rules?: Rule[]; hideDotfiles?: boolean; scope?: string; hooks?: EventHook } = {},
) {
  const home = parsePath(options.scope ?? '/')
  const actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf(...perm),
    scope: home,
    rulesFrom: [ROOT],
    rules: options.rules ?? [],
    hideDotfiles: options.hideDotfiles ?? false,
  }
  return new Scope(storage.within(home), actor, NO_SHARES, options.hooks ?? (async () => undefined))
}

async function names(of: Scope, path = '/') {
  const found: string[] = []
  for (const node of await of.list(parsePath(path))) found.push(node.path)
  return found.sort()
}

beforeEach(async () => {
  storage = new MemoryStorage()
  for (const folder of ['/docs/secret', '/docs/open', '/.git', '/other'])
    await storage.mkdir(parsePath(folder))
  for (const file of ['/a', '/docs/secret/deep', '/docs/open/o', '/.git/config', '/other/x']) {
    await storage.write(parsePath(file), text(file), { overwrite: false })
  }
})

describe('permissions', () => {
  const a = parsePath('/a')
  const b = parsePath('/b')
  const operations: Record<string, [Permission[], (of: Scope) => Promise<unknown>]> = {
    read: [['download'], (of) => of.read(a)],
    'read several files': [
      ['download'],
      async (of) => {
        using folder = await of.openFolder(ROOT)
        return await folder.readStarts([...(await storage.list(ROOT))], { bytesMax: 10 })
      },
    ],
    'write a new file': [['create'], (of) => of.write(b, text('b'), { overwrite: false })],
    'write over a file': [
      ['create', 'modify'],
      (of) => of.write(a, text('b'), { overwrite: true }),
    ],
    save: [['modify'], (of) => of.save(a, text('b'), () => true)],
    mkdir: [['create'], (of) => of.mkdir(b)],
    remove: [['delete'], (of) => of.remove(a)],
    move: [['rename'], (of) => of.move(a, b, { overwrite: false })],
    copy: [['create'], (of) => of.copy(a, b, { overwrite: false })],
    'move over a file': [
      ['rename', 'modify'],
      (of) => of.move(a, parsePath('/other/x'), { overwrite: true }),
    ],
  }
  const all: Permission[] = ['execute', 'create', 'rename', 'modify', 'delete', 'share', 'download']
  for (const [operation, [needed, act]] of Object.entries(operations)) {
    test(`${operation} needs ${needed.join(' and ')} and no other permission`, async () => {
      for (const missing of needed) {
        expect(await code(act(scope(all.filter((one) => one !== missing))))).toBe('forbidden')
      }
      expect(await names(scope(all))).toEqual(['/.git', '/a', '/docs', '/other'])
      expect(await code(act(scope(needed)))).toBe('no fault')
    })
  }

  test('listing and reading metadata need no permission', async () => {
    expect(await names(scope([]))).toEqual(['/.git', '/a', '/docs', '/other'])
    expect((await scope([]).stat(a)).kind).toBe('file')
  })

  test('the root folder cannot be removed, moved, copied or written', async () => {
    const admin = scope(['admin'])
    for (const work of [
      admin.remove(ROOT),
      admin.move(ROOT, b, { overwrite: true }),
      admin.copy(ROOT, b, { overwrite: true }),
      admin.write(ROOT, text('x'), { overwrite: true }),
    ]) {
      expect(await code(work)).toBe('forbidden')
    }
  })

  test('a folder cannot be moved or copied into itself', async () => {
    const admin = scope(['admin'])
    const into = parsePath('/docs/open/docs')
    expect(await code(admin.move(parsePath('/docs'), into, { overwrite: false }))).toBe(
      'badRequest',
    )
    expect(await code(admin.copy(parsePath('/docs'), into, { overwrite: true }))).toBe('badRequest')
  })
})

describe('rules', () => {
  const rules = [deny('/docs/secret')]

  test('rules apply to administrators, in listings and in every operation', async () => {
    const admin = scope(['admin'], { rules })
    const secret = parsePath('/docs/secret/deep')
    expect(await names(admin, '/docs')).toEqual(['/docs/open'])
    const inside = [...(await storage.list(parsePath('/docs/secret')))]
    using top = await admin.openFolder(ROOT)
    expect(await code(top.readStarts(inside, { bytesMax: 10 }))).toBe('forbidden')
    expect(await code(names(admin, '/docs/secret'))).toBe('forbidden')
    expect(await code(admin.stat(secret))).toBe('forbidden')
    expect(await code(admin.read(secret))).toBe('forbidden')
    expect(await code(admin.write(secret, text('x'), { overwrite: true }))).toBe('forbidden')
    expect(await code(admin.save(secret, text('x'), () => true))).toBe('forbidden')
    expect(await code(admin.mkdir(parsePath('/docs/secret/new')))).toBe('forbidden')
    expect(
      await code(admin.copy(parsePath('/a'), parsePath('/docs/secret/a'), { overwrite: false })),
    ).toBe('forbidden')
  })

  test('a denied path gives the same response whether it exists or not', async () => {
    const admin = scope(['admin'], { rules })
    expect(await code(admin.stat(parsePath('/docs/secret/nothing')))).toBe('forbidden')
  })

  test('one denied entry in a folder prevents moving, copying and removing the folder', async () => {
    const admin = scope(['admin'], { rules })
    const docs = parsePath('/docs')
    expect(await code(admin.move(docs, parsePath('/m'), { overwrite: false }))).toBe('forbidden')
    expect(await code(admin.copy(docs, parsePath('/c'), { overwrite: false }))).toBe('forbidden')
    expect(await code(admin.remove(docs))).toBe('forbidden')
    expect(await names(scope(['admin']))).toEqual(['/.git', '/a', '/docs', '/other'])
    admin.copy(parsePath('/docs/open'), parsePath('/c'), { overwrite: false })
  })

  test('a transfer is refused completely if one entry would arrive at a denied path', async () => {
    const admin = scope(['admin'], { rules: [deny('/new/open')] })
    expect(
      await code(admin.copy(parsePath('/docs'), parsePath('/new'), { overwrite: false })),
    ).toBe('forbidden')
  })
})

describe('hidden dotfiles', () => {
  test('a hidden dotfile hides everything below it', async () => {
    const hiding = scope(['admin'], { hideDotfiles: true })
    expect(await names(hiding)).toEqual(['/a', '/docs', '/other'])
    expect(await code(hiding.stat(parsePath('/.git/config')))).toBe('forbidden')
    expect(await code(hiding.write(parsePath('/docs/.env'), text('x'), { overwrite: false }))).toBe(
      'forbidden',
    )
    const [a, config] = [parsePath('/a'), parsePath('/.git/config')]
    for (const operation of ['move', 'copy'] as const) {
      expect(await code(hiding[operation](a, parsePath('/.a'), { overwrite: false }))).toBe(
        'forbidden',
      )
      expect(await code(hiding[operation](config, parsePath('/c'), { overwrite: false }))).toBe(
        'forbidden',
      )
    }
  })
})

describe('a scope of a folder', () => {
  test('a scope of a folder shows that folder as its root', async () => {
    const home = scope(['admin'], { scope: '/docs/open' })
    expect(await names(home)).toEqual(['/o'])
    expect(await code(home.stat(parsePath('/../secret/deep')))).toBe('notFound')
    await home.write(parsePath('/sub/new'), text('x'), { overwrite: false })
    expect((await storage.stat(parsePath('/docs/open/sub/new'))).kind).toBe('file')
  })
})

describe('saving', () => {
  test('a save is refused if the file has changed since it was read, and no content is lost', async () => {
    const admin = scope(['admin'])
    const a = parsePath('/a')
    const { version } = await admin.stat(a)
    await admin.save(a, text('mine'), (node) => node.version === version)
    expect(await code(admin.save(a, text('theirs'), (node) => node.version === version))).toBe(
      'precondition',
    )
    expect(await new Response((await admin.read(a)).bytes).text()).toBe('mine')
  })

  test('a save creates no new file', async () => {
    expect(await code(scope(['admin']).save(parsePath('/new'), text('x'), () => true))).toBe(
      'notFound',
    )
    expect(await code(scope(['admin']).save(parsePath('/docs'), text('x'), () => true))).toBe(
      'isDirectory',
    )
  })
})
