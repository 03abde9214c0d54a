/** filemgr identity: adds, lists, switches and removes providers, while the server runs. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoginProviders } from '#wire/api/identity.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

let folder: ReturnType<typeof temporaryFolder>
let database: string
let server: TestServer
beforeEach(async () => {
  folder = temporaryFolder()
  database = join(folder.path, 'f.db')
  server = await startServer({ database })
  writeFileSync(join(folder.path, 'secret.txt'), 'the secret of the client\n')
})
afterEach(async () => {
  await server.stop()
  folder.remove()
})

const filemgr = (...words: string[]) =>
  runFilemgr([...words, '--database', database], { home: folder.path })
const run = (...words: string[]) => filemgr('identity', ...words)
const add = (id: string, ...words: string[]) =>
  run('add', id, '--issuer', 'https://login.example.org', '--client-id', 'filemgr', ...words)
async function shown(): Promise<LoginProviders> {
  return (await (await fetch(server.url + API.identity)).json()) as LoginProviders
}

test('a provider is added with its options, and its secret is printed nowhere', async () => {
  const early = await add('home')
  expect(early).toMatchObject({ code: 0, stdout: '' })
  expect(early.stderr).toContain('config set publicAddress http://localhost')
  await filemgr('config', 'set', '--public-address', 'https://files.example.org/files')
  const secret = ['--client-secret-file', join(folder.path, 'secret.txt')]
  const made = await add('work', ...secret, '--label', 'Work', '--admin-groups', 'ops, admins')
  expect(made).toMatchObject({
    code: 0,
    stdout: 'https://files.example.org/files/api/identity/callback/work\n',
  })
  const listed = await run('ls', '--json')
  expect(listed.stdout).not.toContain('the secret')
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id: 'work', label: 'Work', options: { adminGroups: ['ops', 'admins'], newAccounts: 'off' } },
    { id: 'home', label: 'home' },
  ])
  expect((await shown()).providers).toEqual([
    { id: 'work', label: 'Work' },
    { id: 'home', label: 'home' },
  ])
})

test('without a provider nothing is switched off, and no sessions are counted', async () => {
  await filemgr('config', 'set', '--public-address', 'https://files.example.org')
  expect((await run('disable')).stdout).toBe('There are no providers and no directories.\n')
})

test('all providers are switched off and on at once, for an emergency', async () => {
  await filemgr('config', 'set', '--public-address', 'https://files.example.org')
  await add('home')
  await add('work')
  expect((await run('disable')).stdout).toBe(
    'The provider home is off.\nThe provider work is off.\n0 sessions have ended.\n',
  )
  expect((await shown()).providers).toEqual([])
  await run('enable', 'work')
  expect((await shown()).providers.map(({ id }) => id)).toEqual(['work'])
  expect(await run('disable', 'none')).toMatchObject({ code: 4 })
  expect(await run('rm', 'work')).toMatchObject({ code: 0 })
  expect(await run('rm', 'work')).toMatchObject({ code: 4 })
})

test('what is not valid is refused, and an existing provider is changed only on request', async () => {
  expect(await add('Home')).toMatchObject({ code: 2 })
  expect(await add('home', '--new-accounts', 'some')).toMatchObject({ code: 2 })
  expect(await add('home', '--client-secret-file', '/none')).toMatchObject({ code: 2 })
  expect(
    await run('add', 'home', '--issuer', 'http://x.example', '--client-id', 'a'),
  ).toMatchObject({ code: 2 })
  expect(await add('home')).toMatchObject({ code: 0 })
  expect(await add('home', '--label', 'Changed')).toMatchObject({ code: 1 })
  expect(await add('home', '--label', 'Changed', '--overwrite')).toMatchObject({ code: 0 })
  expect(JSON.parse((await run('ls', '--json')).stdout)).toMatchObject([{ label: 'Changed' }])
})

test('a directory is added with its options, and its password is printed nowhere', async () => {
  writeFileSync(join(folder.path, 'password.txt'), 'the password of the reader\n')
  const base = ['--ldap', 'ldaps://ldap.example.org', '--base', 'ou=people,dc=example,dc=org']
  const reader = ['--bind-dn', 'cn=reader,dc=example,dc=org']
  const password = ['--bind-password-file', join(folder.path, 'password.txt')]
  const made = await run('add', 'office', ...base, ...reader, ...password, '--login-groups', 'a, b')
  expect(made).toMatchObject({ code: 0, stdout: 'The directory office is on.\n' })
  const listed = await run('ls', '--json')
  expect(listed.stdout).not.toContain('the password')
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { id: 'office', kind: 'ldap', enabled: true, options: { loginGroups: ['a', 'b'] } },
  ])
  expect((await run('ls')).stdout).toContain('ldaps://ldap.example.org')
  expect(await run('add', 'office', ...base)).toMatchObject({ code: 1 })
  expect(await add('office')).toMatchObject({ code: 1 })
  const plain = ['--ldap', 'ldap://ldap.example.org', '--ldap-plain', '--overwrite']
  const changed = await run('add', 'office', ...base, ...plain)
  expect(changed.stderr).toContain('not encrypted')
  expect(await run('add', 'other', ...base, '--filter', '(uid=a)')).toMatchObject({ code: 2 })
  expect(await run('add', 'other', ...base, '--id-attribute', 'uid')).toMatchObject({ code: 2 })
  expect(await run('add', 'other', ...base, ...reader)).toMatchObject({ code: 2 })
  expect((await run('disable', 'office')).stdout).toBe(
    'The provider office is off.\n0 sessions have ended.\n',
  )
  expect(await run('rm', 'office')).toMatchObject({ code: 0 })
})

test('an option is missing: it says which', async () => {
  const missing = await run('add', 'home', '--issuer', 'https://login.example.org')
  expect(missing).toMatchObject({ code: 2 })
  expect(missing.stderr).toContain('--client-id')
})

test('an export has providers and directories without their secrets, and an import adds them', async () => {
  writeFileSync(join(folder.path, 'password.txt'), 'the password of the reader\n')
  const password = ['--bind-password-file', join(folder.path, 'password.txt')]
  await add('home', '--client-secret-file', join(folder.path, 'secret.txt'), '--label', 'Home')
  await add('open')
  const base = ['--ldap', 'ldaps://ldap.example.org', '--base', 'ou=people,dc=example,dc=org']
  await run('add', 'office', ...base, '--bind-dn', 'cn=reader,dc=example,dc=org', ...password)
  await run('add', 'public', ...base, '--login-groups', 'staff')
  for (const ending of ['json', 'yaml', 'toml']) {
    const file = join(folder.path, `settings.${ending}`)
    expect(await filemgr('config', 'export', file)).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).not.toMatch(/the secret of|the password of/)
    const before = (await run('ls', '--json')).stdout
    expect(await filemgr('config', 'import', file)).toMatchObject({ code: 0 })
    expect((await run('ls', '--json')).stdout).toBe(before)
  }
  const file = join(folder.path, 'settings.json')
  for (const id of ['home', 'open', 'office', 'public']) await run('rm', id)
  const imported = await filemgr('config', 'import', file)
  expect(imported).toMatchObject({ code: 0 })
  expect(imported.stderr).toContain('home is switched off')
  expect(imported.stderr).toContain('office is left out')
  expect(JSON.parse((await run('ls', '--json')).stdout)).toMatchObject([
    { id: 'home', label: 'Home', enabled: false },
    { id: 'open', enabled: true },
    { id: 'public', enabled: true, options: { loginGroups: ['staff'] } },
  ])
  const text = readFileSync(file, 'utf8').replace('"issuer": "https:', '"issuer": "http:')
  writeFileSync(file, text.replaceAll('"filter"', '"unknown"').replace('"base"', '"x"'))
  const broken = await filemgr('config', 'import', file)
  expect(broken).toMatchObject({ code: 2 })
  expect(broken.stderr).toContain('identity')
})
