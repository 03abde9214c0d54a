/** Values in exports of File Browser that this server does not support: adapted, or reported (docs/specification.md 11). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

const PASSWORD = 'invented password'
const BCRYPT = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)
const run = (...words: string[]) =>
  runFilemgr([...words, '--database', at('f.db')], { home: folder.path })
function document(name: string, value: unknown): string {
  writeFileSync(at(name), JSON.stringify(value))
  return at(name)
}
const person = (id: number, username: string, more: object = {}) => ({
  id,
  username,
  password: BCRYPT,
  scope: '.',
  perm: { create: true, download: true },
  ...more,
})
const admin = person(1, 'ana', { perm: { admin: true } })
const expression = (raw: string, allow = false) => ({
  regex: true,
  allow,
  path: '',
  regexp: { raw },
})
const people = async () => JSON.parse((await run('users', 'ls', '--json')).stdout)

describe('people', () => {
  test('users with share but without download are imported without share', async () => {
    const path = document('u.json', [
      admin,
      person(4, 'bo', { perm: { create: true, share: true, download: false } }),
    ])
    const taken = await run('users', 'import', path)
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stderr).toContain('entry 2 (bo): perm.share is left out: it needs perm.download.')
    const [, bo] = await people()
    expect(bo).toMatchObject({ id: 4, perm: { create: true, share: false, download: false } })
  })

  test('imported users without rights, commands and rules do not get those of new users', async () => {
    const path = document('u.json', [
      admin,
      person(2, 'cy', { perm: null, commands: null, rules: null }),
    ])
    await run('config', 'set', '--defaults.commands', 'git')
    expect((await run('users', 'import', path)).code).toBe(0)
    const [, cy] = await people()
    expect(Object.values(cy.perm)).not.toContain(true)
    expect([cy.commands, cy.rules]).toEqual([[], []])
  })

  test('a user with an invalid rule is imported, and the rule denies until it is corrected', async () => {
    mkdirSync(at('root'))
    writeFileSync(join(at('root'), 'a.txt'), 'a')
    const path = document('u.json', [
      admin,
      person(2, 'dan', { rules: [expression('('), expression('[z-a]', true)] }),
      person(3, 'eve', { rules: [{ regex: true, allow: false, path: '', regexp: null }] }),
    ])
    const { stderr } = await run('users', 'import', path)
    expect(stderr).toContain('entry 2 (dan): rule 0 denies everything until it is corrected.')
    expect(stderr).toContain('does not compile: (')
    expect(stderr).toContain('entry 2 (dan): rule 1 allows nothing until it is corrected.')
    expect(stderr).toContain('entry 3 (eve): rule 0 denies everything')
    const server = await startServer({ root: at('root'), database: at('f.db') })
    for (const [username, expected] of [
      ['ana', '200'],
      ['dan', '403 forbidden'],
      ['eve', '403 forbidden'],
    ]) {
      const credentials = { username, password: PASSWORD }
      const token = await (
        await anonymous(server.url).call('POST', '/api/login', credentials)
      ).text()
      const look = anonymous(server.url).call('GET', '/api/resources/a.txt', undefined, {
        'X-Auth': token,
      })
      expect(await outcome(look)).toBe(expected ?? '')
    }
    await server.stop()
  })

  test('expressions of File Browser match the same names', async () => {
    mkdirSync(at('root'))
    for (const name of ['Report.BAK', 'a-b.txt', 'end', 'ending', '5x', 'é']) {
      writeFileSync(join(at('root'), name), '')
    }
    const rules = ['(?i)\\.bak$', 'a\\-b', '/end\\z', '^/[[:digit:]]', '^/\\pL\\z'].map((raw) =>
      expression(raw),
    )
    const path = document('u.json', [{ ...admin, rules }])
    expect(await run('users', 'import', path)).toMatchObject({ code: 0, stderr: '' })
    const server = await startServer({ root: at('root'), database: at('f.db') })
    const credentials = { username: 'ana', password: PASSWORD }
    const token = await (await anonymous(server.url).call('POST', '/api/login', credentials)).text()
    const listing = await anonymous(server.url).call('GET', '/api/resources/', undefined, {
      'X-Auth': token,
    })
    const { items } = await listing.json()
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['ending'])
    await server.stop()
  })

  test('all users that cannot be imported are named, and none is imported', async () => {
    await run('users', 'import', document('first.json', [admin, person(7, 'old')]))
    const path = document('u.json', [
      person(7, 'new'),
      person(8, 'old'),
      person(9, 'clear', { password: 'open' }),
      person(10, 'odd', { viewMode: 'grid', locale: 5 }),
      person(11, ' '),
      person(12, 'fine'),
    ])
    for (const words of [[], ['--dry-run']]) {
      const refused = await run('users', 'import', path, ...words)
      expect(refused.code).toBe(2)
      for (const [who, what] of [
        ['entry 1 (new)', 'User 7 (old) already exists'],
        ['entry 2 (old)', 'This user name is taken'],
        ['entry 3 (clear)', 'The password is not a hash. `filemgr hash` makes one.'],
        ['entry 4 (odd)', 'viewMode'],
        ['entry 4 (odd)', 'locale'],
        ['entry 5 ( )', 'A user name must have'],
      ]) {
        const lines = refused.stderr.split('\n')
        expect(
          lines.find((line) => line.startsWith(`${who}: `) && line.includes(what ?? '')),
        ).toBeDefined()
      }
      const named = [...refused.stderr.matchAll(/^entry (\d+) /gm)].map(([, number]) => number)
      expect(named).toEqual(['1', '2', '3', '4', '4', '5'])
      expect((await people()).map(({ id }: { id: number }) => id)).toEqual([1, 7])
    }
  })

  test('users with an unknown language are imported with the default language', async () => {
    const path = document('u.json', [
      admin,
      person(4, 'bo', { locale: 'xx' }),
      person(5, 'cy', { locale: 'pt_BR' }),
    ])
    const { stderr } = await run('users', 'import', path)
    expect(stderr).toBe('entry 2 (bo): there is no language "xx"; they get the default one.\n')
    const locales = (await people()).map(({ locale }: { locale: string }) => locale)
    expect(locales).toEqual(['', '', 'pt_BR'])
  })

  test('users import --dry-run reports what would change, and changes nothing', async () => {
    const path = document('u.json', [admin, person(4, 'bo', { perm: { share: true } })])
    const dry = await run('users', 'import', path, '--dry-run')
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stdout).toContain('2 users can be imported')
    expect(dry.stderr).toContain('entry 2 (bo)')
    const none = await run('users', 'ls')
    expect(none).toMatchObject({ code: 4, stdout: '' })
    expect(none.stderr).toMatch(
      /^There is no database at \S+\. `\S*filemgr config init --database \S+` creates one/,
    )
    await run('users', 'import', path)
    expect(await people()).toHaveLength(2)
    const again = await run('users', 'import', path, '--dry-run', '--replace')
    expect(again.code).toBe(0)
    expect(readdirSync(folder.path)).not.toContain('users.backup.json')
  })
})

describe('settings', () => {
  const settings = (more: object, server: object = {}) => ({
    settings: { authMethod: 'json', defaults: { perm: { share: true, download: false } }, ...more },
    server: { root: '/srv', ...server },
    auther: {},
  })
  const now = async (key: string) => {
    const rows = JSON.parse((await run('config', 'cat', '--json')).stdout)
    return rows.find((row: { key: string }) => row.key === key)?.value
  }

  test('settings are imported with an invalid rule and a right without effect', async () => {
    const rules = [expression('ok'), expression('a**')]
    const taken = await run('config', 'import', document('s.json', settings({ rules })))
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.stderr).toContain('rules for all users: rule 1 denies everything until it is')
    expect(taken.stderr).toContain('defaults: perm.share is left out')
    expect(await now('defaults.perm.share')).toBe(false)
    // The invalid rule does not prevent other changes of the settings.
    expect((await run('config', 'set', 'branding.name', 'Ours')).code).toBe(0)
    expect((await run('rules', 'rm', '1')).code).toBe(0)
  })

  test('settings are imported without an unknown language', async () => {
    const path = document('s.json', settings({ defaults: { locale: 'xx', viewMode: 'mosaic' } }))
    const taken = await run('config', 'import', path)
    expect(taken.code).toBe(0)
    expect(taken.stderr).toContain('defaults.locale: there is no language "xx"; left out.')
    expect(await now('defaults.locale')).toBe('')
    expect(await now('defaults.viewMode')).toBe('mosaic')
  })

  test('all invalid settings are named, and none is imported', async () => {
    const bad = settings(
      { authMethod: 'magic', rules: ['x'], commands: { after_copy: 'x' } },
      { port: 'many', root: at('new') },
    )
    for (const words of [[], ['--dry-run']]) {
      const refused = await run('config', 'import', document('s.json', bad), ...words)
      expect(refused.code).toBe(2)
      for (const what of [
        'auth.method must be',
        'port must be',
        'rules.0',
        'commands.after_copy',
      ]) {
        expect(refused.stderr).toContain(what)
      }
    }
    expect(await now('root')).toBe('.')
  })

  test.each([
    ['users', [admin]],
    ['config', { settings: {}, server: {}, auther: {} }],
  ])('neither a dry run nor a refusal of %s import creates a database', async (noun, content) => {
    const dry = await run(noun, 'import', document('d.json', content), '--dry-run')
    expect(dry).toMatchObject({ code: 0 })
    const kind = document('d.txt', content)
    expect((await run(noun, 'import', kind)).stderr).toContain('.yaml, .yml, .json or .toml')
    expect(readdirSync(folder.path).filter((name) => name.includes('.db'))).toEqual([])
  })

  test('users import and config import recognise the database of File Browser, and name the right command', async () => {
    const bolt = Buffer.alloc(4096)
    bolt.writeUInt32LE(0xed0cdaed, 16)
    writeFileSync(at('filebrowser.db'), bolt)
    for (const noun of ['users', 'config']) {
      const { code, stderr } = await run(noun, 'import', at('filebrowser.db'))
      expect(code).not.toBe(0)
      expect(stderr).toContain(`filemgr import ${at('filebrowser.db')}`)
    }
  })

  test('config import --dry-run changes nothing', async () => {
    const dry = await run('config', 'import', document('s.json', settings({})), '--dry-run')
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stdout).toContain('Nothing was changed')
    expect(await now('root')).toBe('.')
  })
})
