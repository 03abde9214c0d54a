/** The address of a database on a server, and where its password comes from. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseAddress, databaseText } from '#server/config/database-address.ts'
import { loadConfig } from '#server/config/load.ts'
import { reservedPaths } from '#server/config/reserved-paths.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

const URL_OF_SERVER = 'postgres://ann@db.example.org:6543/files'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const loaded = (env: Record<string, string>, flags: Record<string, string> = {}) =>
  loadConfig({ flags, env: { HOME: folder.path, ...env } })
const addressOf = (written: string, env: Record<string, string> = {}) =>
  loaded({ FILEMGR_DATABASE: written, ...env }).paths.database
const passwordOf = (address: DatabaseAddress) =>
  address.kind === 'postgres' ? address.password() : 'a file has none'
const refusalOf = (run: () => unknown): string => {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  return 'accepted'
}
const write = (name: string, text: string, mode = 0o600) => {
  writeFileSync(join(folder.path, name), text, { mode })
  return join(folder.path, name)
}

test('an address with a password is accepted in the environment, and shown without it', () => {
  const config = loaded({ FILEMGR_DATABASE: 'postgresql://ann:s%40cret@db.example.org:6543/files' })
  expect(databaseText(config.paths.database)).toBe(URL_OF_SERVER)
  expect(config.text('database')).toBe(URL_OF_SERVER)
  expect(passwordOf(config.paths.database)).toBe('s@cret')
})

test('an address with a password is refused in the arguments, without repeating it', () => {
  const refused = refusalOf(() => loaded({}, { database: 'postgres://ann:s3cret@h/files' }))
  expect(refused).toContain('--database: a password in the arguments is shown')
  expect(refused).not.toContain('s3cret')
  expect(refusalOf(() => loaded({}, { database: URL_OF_SERVER }))).toBe('accepted')
})

test('an address that is not valid is refused with what is missing, without a password', () => {
  const refusals = [
    'postgres://ann:s3cret@h:port/files',
    'postgres://ann:s3cret@h',
    'postgres://:s3cret@h/files',
    'postgres://ann:s3cret@h/files?options=-c',
    'postgres://ann:s3cret@h/files?sslmode=maybe',
    'postgres://ann:s3cret%@h/files',
    'mysql://ann:s3cret@h/files',
  ].map((written) => refusalOf(() => addressOf(written)))
  expect(refusals).toMatchObject([
    expect.stringContaining('is not an address such as postgres://USER@HOST/DATABASE'),
    expect.stringContaining('names a user, a host and a database'),
    expect.stringContaining('names a user, a host and a database'),
    expect.stringContaining('may have only sslmode, sslrootcert, host after'),
    expect.stringContaining('has one of these as sslmode: disable, prefer, require'),
    expect.stringContaining('has a % that begins no code'),
    expect.stringContaining('name a file, or a database of a PostgreSQL server'),
  ])
  expect(refusals.join(' ')).not.toContain('s3cret')
})

test('the password comes from the address, a named file, the environment, or the file of PostgreSQL', () => {
  write('.pgpass', '# ours\nother:*:*:*:no\ndb.example.org:6543:files:ann:from\\:file\n')
  const named = { FILEMGR_DATABASE_PASSWORD_FILE: write('password', 'named \n') }
  const own = { FILEMGR_DATABASE_PASSWORD: 'own' }
  const usual = { PGPASSWORD: 'usual' }
  const all = { ...named, ...own, ...usual }
  const withPassword = URL_OF_SERVER.replace('ann', 'ann:written')
  expect(passwordOf(addressOf(withPassword, all))).toBe('written')
  expect(passwordOf(addressOf(URL_OF_SERVER, all))).toBe('named ')
  expect(passwordOf(addressOf(URL_OF_SERVER, { ...own, ...usual }))).toBe('own')
  expect(passwordOf(addressOf(URL_OF_SERVER, usual))).toBe('usual')
  expect(passwordOf(addressOf(URL_OF_SERVER))).toBe('from:file')
  expect(passwordOf(addressOf('postgres://ann@elsewhere/files'))).toBe('')
})

test('the file of PostgreSQL is not used if other accounts can read it', () => {
  const PGPASSFILE = write('open', '*:*:*:*:open', 0o644)
  expect(passwordOf(addressOf(URL_OF_SERVER, { PGPASSFILE }))).toBe('')
})

test('files with the password are hidden from users', () => {
  const named = write('password', 'secret')
  const passFile = write('.pgpass', '*:*:*:*:secret')
  const config = loaded({
    FILEMGR_DATABASE: URL_OF_SERVER,
    FILEMGR_DATABASE_PASSWORD_FILE: named,
  })
  expect(reservedPaths(config).files).toContain(named)
  expect(reservedPaths(config).files).toContain(passFile)
})

test('a configuration file with the password counts as a file with it', () => {
  const withPassword = write('with.yaml', 'database: postgres://ann:s3cret@h/files')
  const without = write('without.yaml', 'database: postgres://ann@h/files')
  const filesOf = (file: string) => {
    const { database } = loadConfig({ flags: {}, env: { HOME: folder.path }, file }).paths
    return database.kind === 'postgres' && database.passwordFiles
  }
  expect([filesOf(withPassword), filesOf(without)]).toEqual([[withPassword], []])
})

test('a missing file with the password is named when the password is needed', () => {
  const address = addressOf(URL_OF_SERVER, { FILEMGR_DATABASE_PASSWORD_FILE: '/nowhere' })
  expect(refusalOf(() => passwordOf(address))).toContain('The file /nowhere does not exist.')
})
