/** filemgr backup, restore and export: an installation in one file, and back. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#server/db/open.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

const PASSWORD = 'correct horse battery'
let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(at('srv'))
})
afterEach(() => folder.remove())

const at = (...names: string[]) => join(folder.path, ...names)
const run = (words: string[], database = at('f.db')) =>
  runFilemgr([...words, '--database', database], { home: folder.path })
async function namesIn(database: string): Promise<string[]> {
  const { stdout } = await run(['users', 'ls', '--json'], database)
  return JSON.parse(stdout).map(({ username }: { username: string }) => username)
}
async function makeInstallation(): Promise<void> {
  mkdirSync(at('look', 'img'), { recursive: true })
  writeFileSync(at('look', 'custom.css'), 'body { color: red }')
  writeFileSync(at('look', 'img', 'logo.svg'), '<svg/>')
  writeFileSync(at('c.yaml'), 'port: 9001 # ours\n')
  await run(['users', 'add', 'ana', PASSWORD, '--perm.admin'])
  await run(['config', 'set', '--branding.files', at('look'), '--branding.name', 'Ours'])
}

describe('a backup', () => {
  test('a backup can be made while a server runs, and be restored to another path', async () => {
    await makeInstallation()
    const server = await startServer({ root: at('srv'), database: at('f.db') })
    const ana = await signIn(server.url, 'ana', PASSWORD)
    await ana.call('POST', '/api/resources/a.txt', 'a')
    await ana.call('POST', '/api/share/a.txt', {})
    const made = await run(['backup', at('b.db'), '--config', at('c.yaml')])
    expect(made).toMatchObject({ code: 0 })
    for (const name of ['c.yaml', 'look/custom.css', 'look/img/logo.svg']) {
      expect(made.stdout).toContain(`It contains ${at(name)}.`)
    }
    expect(statSync(at('b.db')).mode & 0o777).toBe(0o600)
    await run(['users', 'add', 'late', PASSWORD])
    await server.stop()

    rmSync(at('look'), { recursive: true })
    writeFileSync(at('c.yaml'), 'port: 9002\n')
    const plain = await run(['restore', at('b.db')], at('plain', 'g.db'))
    expect(plain.stderr).toContain(
      `The backup also contains ${at('look', 'custom.css')}; with --files`,
    )
    expect(existsSync(at('look'))).toBe(false)
    const restored = await run(['restore', at('b.db'), '--files'], at('new', 'g.db'))
    expect(restored).toMatchObject({ code: 0 })
    expect(readFileSync(at('look', 'custom.css'), 'utf8')).toBe('body { color: red }')
    expect(restored.stderr).toBe(`${at('c.yaml')} already exists and was not changed.\n`)
    expect(readFileSync(at('c.yaml'), 'utf8')).toBe('port: 9002\n')
    expect(await namesIn(at('new', 'g.db'))).toEqual(['ana'])
    expect(statSync(at('new', 'g.db')).mode & 0o777).toBe(0o600)
    const again = await startServer({ root: at('srv'), database: at('new', 'g.db') })
    const same = await signIn(again.url, 'ana', PASSWORD)
    expect(await (await same.call('GET', '/api/shares')).json()).toHaveLength(1)
    await again.stop()
  })

  test('a backup replaces no file, and a restore replaces a database only with --overwrite and keeps the old one', async () => {
    await makeInstallation()
    await run(['backup', at('b.db')])
    const before = readFileSync(at('b.db'))
    expect(await run(['backup', at('b.db')])).toMatchObject({ code: 1 })
    expect(readFileSync(at('b.db')).equals(before)).toBe(true)
    await run(['users', 'add', 'late', PASSWORD])
    const refused = await run(['restore', at('b.db')])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Replace it with --overwrite.')
    expect(await namesIn(at('f.db'))).toEqual(['ana', 'late'])
    expect((await run(['restore', at('b.db'), '--overwrite'])).code).toBe(0)
    expect(await namesIn(at('f.db'))).toEqual(['ana'])
    expect(await namesIn(at('f.db.replaced-1'))).toEqual(['ana', 'late'])
    expect(readFileSync(at('b.db')).equals(before)).toBe(true)
  })

  test('a restore refuses an unusable backup with a message, and changes nothing', async () => {
    await makeInstallation()
    await run(['backup', at('b.db')])
    writeFileSync(at('text.db'), 'text')
    writeFileSync(at('half.db'), readFileSync(at('b.db')).subarray(0, 5000))
    const newer = new Database(at('b.db'))
    newer.exec('PRAGMA user_version = 1000')
    newer.close()
    for (const [file, code, sentence] of [
      ['none.db', 4, 'does not exist'],
      ['text.db', 2, 'text.db is damaged, or is not a backup of filemgr.'],
      ['half.db', 2, 'half.db is damaged, or is not a backup of filemgr.'],
      ['b.db', 1, 'b.db was written by a newer version of filemgr.'],
    ] as const) {
      const refused = await run(['restore', at(file), '--overwrite'])
      expect(refused).toMatchObject({ code, stdout: '' })
      expect(refused.stderr).toContain(sentence)
    }
    expect(await namesIn(at('f.db'))).toEqual(['ana'])
    expect(existsSync(at('f.db.unfinished'))).toBe(false)
    expect(existsSync(at('f.db.replaced-1'))).toBe(false)
  })

  test('a restore replaces a damaged database and its log', async () => {
    await makeInstallation()
    await run(['backup', at('b.db')])
    writeFileSync(at('f.db'), 'torn')
    writeFileSync(at('f.db-wal'), 'torn, too')
    expect((await run(['restore', at('b.db'), '--overwrite'])).code).toBe(0)
    expect(readFileSync(at('f.db.replaced-1'), 'utf8')).toBe('torn')
    expect(existsSync(at('f.db-wal'))).toBe(false)
    expect(await namesIn(at('f.db'))).toEqual(['ana'])
  })

  test('the log of a deleted database is not applied to the restored one', async () => {
    await makeInstallation()
    await run(['backup', at('b.db')])
    const old = new Database(at('f.db'))
    old.exec("PRAGMA journal_mode = WAL; UPDATE users SET username = 'old'")
    copyFileSync(at('f.db-wal'), at('left'))
    old.close()
    rmSync(at('f.db'))
    renameSync(at('left'), at('f.db-wal'))
    expect((await run(['restore', at('b.db')])).code).toBe(0)
    expect(await namesIn(at('f.db'))).toEqual(['ana'])
    expect(existsSync(at('f.db.replaced-1-wal'))).toBe(true)
  })

  test('a restore does not replace a database that a server uses', async () => {
    await makeInstallation()
    await run(['backup', at('b.db')])
    const server = await startServer({ root: at('srv'), database: at('f.db') })
    const refused = await run(['restore', at('b.db'), '--overwrite'])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('Stop the server first.')
    const ana = await signIn(server.url, 'ana', PASSWORD)
    expect(await outcome(ana.call('GET', '/api/resources/'))).toBe('200')
    await server.stop()
  })
})

test('an older database is copied before it is upgraded, and the copy has the older version', () => {
  const fresh = openDatabase(at('o.db'))
  fresh.exec(
    'DROP TABLE job_items; DROP TABLE jobs; ALTER TABLE audit DROP COLUMN entry; ALTER TABLE audit DROP COLUMN fault',
  )
  fresh.exec('DROP TRIGGER invitation_ends; DROP TABLE invitations; DROP TABLE personal')
  fresh.exec('DROP TABLE failures; DROP TABLE app_passwords')
  fresh.exec('DROP TABLE second_factors; DROP TABLE recovery_codes')
  fresh.exec('DROP TABLE passkeys; DROP TABLE used_challenges')
  fresh.exec('DROP TABLE providers; DROP TABLE identities; DROP TABLE directories')
  fresh.exec('DROP TABLE sign_in_flows; DROP TABLE logout_tokens_seen')
  fresh.exec('ALTER TABLE users DROP COLUMN signed_in_ms')
  for (const column of ['visits', 'message', 'shows_owner', 'lost_ms']) {
    fresh.exec(`ALTER TABLE shares DROP COLUMN ${column}`)
  }
  fresh.exec('DROP TRIGGER uploads_ended; DROP TABLE ended_uploads')
  for (const column of ['session', 'published', 'holder', 'is_asked']) {
    fresh.exec(`ALTER TABLE uploads DROP COLUMN ${column}`)
  }
  fresh.exec('DROP TABLE kept; DROP TABLE journal_steps; DROP TABLE journal; DROP TABLE roots')
  fresh.exec('DROP TABLE homes_due; DROP INDEX shares_by_path; DROP INDEX shares_by_real_path')
  fresh.exec('CREATE INDEX shares_by_user ON shares (user_id)')
  for (const column of ['own_cookie', 'verified_ms', 'identity_id', 'provider_sid', 'id_token']) {
    fresh.exec(`ALTER TABLE sessions DROP COLUMN ${column}`)
  }
  for (const column of ['token', 'previous_token', 'previous_until_ms']) {
    fresh.exec(`ALTER TABLE sessions ADD COLUMN ${column} TEXT`)
  }
  fresh.exec('PRAGMA user_version = 7')
  fresh.close()
  openDatabase(at('o.db')).close()
  expect(existsSync(at('o.db.version-7'))).toBe(true)
  expect(statSync(at('o.db.version-7')).mode & 0o777).toBe(0o600)
  const copy = new Database(at('o.db.version-7'), { readonly: true })
  expect(copy.query('PRAGMA user_version').get()).toEqual({ user_version: 7 })
  copy.close()
})

test('users cannot reach the copies of a database in the served folder', async () => {
  const database = at('srv', 'f.db')
  await run(['users', 'add', 'ana', PASSWORD, '--perm.admin'], database)
  writeFileSync(`${database}.version-7`, 'hashes')
  const server = await startServer({ root: at('srv'), database })
  const ana = await signIn(server.url, 'ana', PASSWORD)
  expect(await outcome(ana.call('GET', '/api/raw/f.db.version-7'))).toBe('403 forbidden')
  await server.stop()
})

test('an export contains settings, users, rules and shares, and can be imported', async () => {
  await makeInstallation()
  await run(['rules', 'add', '/private'])
  const server = await startServer({ root: at('srv'), database: at('f.db') })
  const ana = await signIn(server.url, 'ana', PASSWORD)
  await ana.call('POST', '/api/resources/docs/', '')
  await ana.call('POST', '/api/share/docs/', { password: 'of the link' })
  await server.stop()
  expect((await run(['export', at('e.json')])).code).toBe(0)
  expect(statSync(at('e.json')).mode & 0o777).toBe(0o600)
  expect((await run(['import', at('e.json')], at('g.db'))).code).toBe(0)
  expect((await run(['export', at('e2.json')], at('g.db'))).code).toBe(0)
  const [first, second] = ['e.json', 'e2.json'].map((name) => readFileSync(at(name), 'utf8'))
  expect(second).toBe(first ?? '')
  expect(first).toContain('password_hash')
})
