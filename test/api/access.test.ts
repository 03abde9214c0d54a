/** The access list: which shares and which users can open a path (docs/api.md 29). */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import type { NewAppPassword } from '#wire/api/app-passwords.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import type { AccessList, AccessReasons } from '#wire/shapes/access.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
const ask = async (path: string, who: Client): Promise<AccessList> =>
  (await who.call('GET', `${API.access}${path}`)).json()
const share = async (path: string, who: Client): Promise<string> =>
  ((await (await who.call('POST', `${API.share}${path}`, '{}')).json()) as Share).hash

beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna', 'trip'), { recursive: true })
  writeFileSync(join(app.root, 'anna', 'trip', 'a.txt'), 'a')
  writeFileSync(join(app.root, 'anna', 'tripod'), 'b')
})
afterAll(() => app.stop())

test('the access list has the shares of a file and of its parent folders, for administrators those of all users @spec-7.27', async () => {
  const [own, above, other] = [
    await share('/trip/a.txt', app.anna),
    await share('/trip/', app.anna),
    await share('/tripod', app.anna),
  ]
  const theirs = await share('/anna/trip/', app.admin)
  const hashes = ({ links }: AccessList) => links.map(({ hash }) => hash).sort()
  expect(hashes(await ask('/trip/a.txt', app.anna))).toEqual([own, above].sort())
  expect(hashes(await ask('/tripod', app.anna))).toEqual([other])
  expect(hashes(await ask('/anna/trip/a.txt', app.admin))).toEqual([own, above, theirs].sort())
})

test('administrators see which users can open a path and with which rights; rules and scopes exclude users @spec-7.27', async () => {
  await app.person(
    'look',
    '--scope',
    '/anna',
    '--perm.download=false',
    '--perm.share=false',
    '--perm.modify=false',
    '--perm.rename=false',
    '--perm.delete=false',
  )
  await app.person('remove', '--scope', '/anna', '--perm.modify=false', '--perm.rename=false')
  await app.person('mover', '--scope', '/anna', '--perm.modify=false', '--perm.delete=false')
  await app.person('away', '--scope', '/elsewhere')
  await app.person('ruled', '--scope', '/anna')
  await app.runCommand('rules', 'add', '/trip', '--user', 'ruled')
  const { people } = await ask('/anna/trip/a.txt', app.admin)
  expect(people).toEqual([
    { username: 'admin', isAdmin: true, scope: '/', may: 'change' },
    { username: 'anna', isAdmin: false, scope: '/anna', may: 'change' },
    { username: 'look', isAdmin: false, scope: '/anna', may: 'look' },
    { username: 'remove', isAdmin: false, scope: '/anna', may: 'delete' },
    { username: 'mover', isAdmin: false, scope: '/anna', may: 'rename' },
  ] as AccessList['people'])
  expect(await ask('/trip/a.txt', app.anna)).not.toHaveProperty('people')
})

test('the access list needs a session and an existing path @spec-7.27', async () => {
  expect(await outcome(app.anonymous.call('GET', `${API.access}/anna`))).toBe('401 unauthenticated')
  expect(await outcome(app.anna.call('GET', `${API.access}/none`))).toBe('404 notFound')
})

test('the access list considers a limited number of users @limit-67', async () => {
  const path = join(app.root, '..', 'people.json')
  await app.runCommand('users', 'export', path)
  const [pattern] = JSON.parse(readFileSync(path, 'utf8')) as object[]
  const crowd = Array.from({ length: SERVER_LIMITS.accessUsersMax }, (_, at) => ({
    ...pattern,
    id: 1000 + at,
    username: `crowd${at}`,
  }))
  writeFileSync(path, JSON.stringify(crowd))
  await app.runCommand('users', 'import', path)
  const { people, isPartial } = await ask('/anna/trip/a.txt', app.admin)
  expect(people?.length).toBeLessThanOrEqual(SERVER_LIMITS.accessUsersMax)
  expect(isPartial).toBe(true)
})

test('a user learns what decides about a path: rule, permission, hidden dotfiles, folder', async () => {
  await app.person('asker', '--scope', '/anna', '--perm.share=false', '--hideDotfiles')
  await app.runCommand('rules', 'add', '/trip', '--user', 'asker')
  await app.runCommand('rules', 'add', '/trip/a.txt', '--allow', '--user', 'asker')
  const why = async (path: string, query = '', who = app.admin): Promise<AccessReasons> =>
    (await who.call('GET', `${API.access}${path}?why=1${query}`)).json()
  const decisionOn = async (action: string, path: string) =>
    (await why(path, '&as=asker')).decisions.find((decision) => decision.action === action)

  expect(await decisionOn('look', '/anna/trip')).toMatchObject({
    isAllowed: false,
    reasons: [{ by: 'rule', rule: 1 }],
  })
  expect(await decisionOn('look', '/anna/trip/a.txt')).toMatchObject({
    isAllowed: true,
    reasons: [{ by: 'rule', rule: 2 }],
  })
  expect(await decisionOn('look', '/anna/.x')).toMatchObject({
    isAllowed: false,
    reasons: [{ by: 'hiddenDotfiles' }],
  })
  expect(await decisionOn('download', '/anna/tripod')).toEqual({
    ...{ action: 'download', isAllowed: true, reasons: [{ by: 'permission' }] },
  })
  expect(await decisionOn('share', '/anna/tripod')).toMatchObject({
    isAllowed: false,
    reasons: [{ by: 'permission', permission: 'share' }],
  })
  expect(await decisionOn('look', '/other')).toMatchObject({
    isAllowed: false,
    reasons: [{ by: 'folder', folder: '/anna' }],
  })
  // Everything that refuses is named, so that no second question is needed.
  expect((await decisionOn('share', '/anna/trip/.x'))?.reasons).toEqual([
    { by: 'permission', permission: 'share' },
    { by: 'rule', rule: 1 },
    { by: 'hiddenDotfiles' },
  ] as never)
  expect((await decisionOn('share', '/other'))?.reasons).toEqual([
    { by: 'folder', folder: '/anna' },
    { by: 'permission', permission: 'share' },
  ] as never)
  const { rules, globalRules } = await why('/anna', '&as=asker')
  expect(rules.map(({ path }) => path)).toEqual(['/trip', '/trip/a.txt'])
  expect(globalRules).toBe(0)
  await app.runCommand('rules', 'add', '/anna/everyone')
  const later = await why('/anna', '&as=asker')
  await app.runCommand('rules', 'rm', '0')
  expect([later.rules.length, later.globalRules, later.rules[0]?.path]).toEqual([
    ...[3, 1, '/anna/everyone'],
  ])

  expect((await app.anna.call('GET', `${API.access}/?why=1&as=asker`)).status).toBe(403)
  expect((await app.admin.call('GET', `${API.access}/?why=1&as=none`)).status).toBe(404)
  expect((await why('/tripod', '', app.anna)).username).toBe('anna')
})

test('an app password lowers what its user may do, and the decision names it', async () => {
  const made = await app.anna.call('POST', API.appPasswords, {
    ...{ name: 'scanner', permissions: ['create'], folder: '/trip' },
    current_password: PASSWORD,
  })
  const { id }: NewAppPassword = await made.json()
  const why = async (path: string): Promise<AccessReasons> =>
    (await app.anna.call('GET', `${API.access}${path}?why=1&appPassword=${id}`)).json()
  const { decisions } = await why('/trip')
  expect(decisions.find(({ action }) => action === 'create')?.isAllowed).toBe(true)
  expect(decisions.find(({ action }) => action === 'download')).toMatchObject({
    reasons: [{ by: 'ceiling', permission: 'download' }],
  })
  const outside = (await why('/tripod')).decisions.map(({ reasons }) => reasons[0])
  expect(outside).toEqual(outside.map(() => ({ by: 'folder', folder: '/trip' })) as never)
  expect((await app.anna.call('GET', `${API.access}/?why=1&appPassword=999`)).status).toBe(404)
})

test('the record says which kind of decision refused a request', async () => {
  await app.person('refused', '--scope', '/anna', '--perm.delete=false')
  await app.runCommand('rules', 'add', '/trip', '--user', 'refused')
  const refused = await signIn(app.url, 'refused', PASSWORD)
  expect((await refused.call('DELETE', `${API.resources}/tripod`)).status).toBe(403)
  expect((await refused.call('GET', `${API.raw}/trip/a.txt`)).status).toBe(403)
  const records: AuditEntry[] = await (
    await app.admin.call('GET', `${API.audit}?username=refused&result=failed`)
  ).json()
  expect(records.map(({ fault }) => fault)).toEqual([
    'forbidden; reason=ruleDenies',
    'forbidden; reason=rightMissing',
  ])
})
