/** Audit records: one for each action and each refusal (docs/api.md 14). */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import type { TrashItemInfo } from '#wire/api/journal.ts'
import { API } from '#wire/api/routes.ts'
import { JOURNAL_HEADER, type SessionInfo } from '#wire/api/session.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  writeFileSync(join(app.root, 'anna/a.txt'), 'hello')
  mkdirSync(join(app.root, 'anna/d'))
})
afterAll(() => app.stop())

const recordsOf = async (who: Client, query = ''): Promise<AuditEntry[]> =>
  (await who.call('GET', `${API.audit}${query}`)).json()
const last = async () => (await recordsOf(app.admin, '?limit=1'))[0]

test('the audit record needs a session; users read their own records, administrators those of all users @spec-7.58 @spec-10.12', async () => {
  expect(await outcome(app.anonymous.call('GET', API.audit))).toBe('401 unauthenticated')
  await app.anna.call('GET', `${API.raw}/a.txt`)
  expect(await recordsOf(app.anna, '?limit=1')).toMatchObject([
    {
      action: 'download',
      username: 'anna',
      path: '/a.txt',
      bytes: 5,
      status: 200,
      address: '127.0.0.1',
    },
  ])
  await app.anna.call('HEAD', `${API.raw}/a.txt?inline=true`)
  expect(await recordsOf(app.anna, '?limit=1')).toMatchObject([{ action: 'open', bytes: 0 }])
  await app.anna.call('GET', `${API.raw}/a.txt?inline=true`)
  expect(await recordsOf(app.anna, '?limit=1')).toMatchObject([{ action: 'open', path: '/a.txt' }])
  await app.anna.call('GET', `${API.raw}/a.txt`)
  expect((await recordsOf(app.anna)).every(({ username }) => username === 'anna')).toBe(true)
  expect(await last()).toMatchObject({ action: 'download', path: '/anna/a.txt' })
  expect(
    new Set((await recordsOf(app.admin)).map(({ username }) => username)).size,
  ).toBeGreaterThan(1)
})

test('each item that is restored or permanently deleted has a record of its own', async () => {
  for (const name of ['one', 'two', 'three']) {
    writeFileSync(join(app.root, 'anna', name), name)
    await app.anna.call('DELETE', `${API.resources}/${name}`)
  }
  writeFileSync(join(app.root, 'anna/two'), 'taken')
  const items: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
  const idOf = (path: string) => items.find((item) => item.path === path)?.id
  await app.anna.call('POST', API.trash, { ids: [idOf('/one'), idOf('/two')] })
  await app.anna.call('DELETE', `${API.trash}?id=${idOf('/two')}&id=${idOf('/three')}&id=7777`)
  expect(await recordsOf(app.anna, '?limit=5')).toMatchObject([
    { action: 'purge', path: '', status: 404, fault: 'notFound' },
    { action: 'purge', path: '/three', status: 204 },
    { action: 'purge', path: '/two', status: 204 },
    { action: 'restore', path: '/two', status: 409, fault: 'conflict' },
    { action: 'restore', path: '/one', status: 200, entry: expect.any(Number) },
  ])
  for (const name of ['one', 'two']) await app.anna.call('DELETE', `${API.resources}/${name}`)
  await app.anna.call('DELETE', `${API.trash}?all=true`)
  expect(await recordsOf(app.anna, '?limit=2')).toMatchObject([
    { action: 'purge', path: '/one', status: 204 },
    { action: 'purge', path: '/two', status: 204 },
  ])
})

test('a record says whether its paths exist now, and why its change can no longer be undone', async () => {
  writeFileSync(join(app.root, 'anna/doomed'), 'x')
  writeFileSync(join(app.root, 'anna/stays'), 'x')
  await app.anna.call('PATCH', `${API.resources}/stays?action=rename&destination=/stayed`)
  await app.anna.call('DELETE', `${API.resources}/doomed`)
  const state = { undoObstacle: '', pathExists: false, toExists: false }
  const renamed = { action: 'rename', to: '/stayed', ...state, toExists: true }
  const deleted = { action: 'delete', path: '/doomed', ...state }
  expect(await recordsOf(app.anna, '?limit=2')).toMatchObject([deleted, renamed])
  const [item]: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
  await app.anna.call('DELETE', `${API.trash}?id=${item?.id}`)
  expect(await recordsOf(app.anna, '?limit=3')).toMatchObject([
    { action: 'purge', path: '/doomed', ...state },
    { ...deleted, undoObstacle: 'notInTrash' },
    renamed,
  ])
  // The administrator reads the same with paths of the served tree.
  expect(await recordsOf(app.admin, '?limit=3')).toMatchObject([
    { path: '/anna/doomed', ...state },
    { path: '/anna/doomed', undoObstacle: 'notInTrash' },
    { to: '/anna/stayed', toExists: true },
  ])
  // A file of all records has only what was recorded.
  const lines = await (await app.anna.call('GET', `${API.audit}?format=jsonl&action=purge`)).text()
  expect(lines).not.toContain('pathExists')
})

test('content that is in the trash again, after the undo of its restore, is no obstacle', async () => {
  writeFileSync(join(app.root, 'anna/back'), 'x')
  await app.anna.call('DELETE', `${API.resources}/back`)
  const [item]: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
  const restored = await app.anna.call('POST', API.trash, { ids: [item?.id] })
  const id = Number((await recordsOf(app.anna, '?limit=1'))[0]?.entry)
  expect(restored.status).toBe(200)
  expect(await recordsOf(app.anna, '?limit=2')).toMatchObject([
    { action: 'restore', pathExists: true, undoObstacle: '' },
    { action: 'delete', undoObstacle: 'notInTrash' },
  ])
  await app.anna.call('POST', `${API.journal}/undo`, { id })
  expect(await recordsOf(app.anna, '?limit=3')).toMatchObject([
    { action: 'undo', undoObstacle: '' },
    { action: 'restore', pathExists: false },
    { action: 'delete', undoObstacle: '' },
  ])
})

describe('audit records', () => {
  test.each<[string, string, BodyInit | object | undefined, Partial<AuditEntry>]>([
    [
      'POST',
      `${API.resources}/new.txt`,
      'xyz',
      { action: 'upload', path: '/anna/new.txt', bytes: 3 },
    ],
    ['POST', `${API.resources}/made/`, undefined, { action: 'newFolder', path: '/anna/made' }],
    [
      'PUT',
      `${API.resources}/new.txt`,
      'changed',
      { action: 'save', path: '/anna/new.txt', bytes: 7 },
    ],
    [
      'PATCH',
      `${API.resources}/new.txt?action=rename&destination=${encodeURIComponent('/b%20c.txt')}`,
      undefined,
      { action: 'rename', path: '/anna/new.txt', to: '/anna/b c.txt' },
    ],
    [
      'PATCH',
      `${API.resources}/a.txt?action=copy&destination=%2Fd%2Fa.txt`,
      undefined,
      { action: 'copy', path: '/anna/a.txt', to: '/anna/d/a.txt' },
    ],
    [
      'DELETE',
      `${API.resources}/d/a.txt`,
      undefined,
      { action: 'delete', path: '/anna/d/a.txt', status: 204 },
    ],
    [
      'PATCH',
      `${API.resources}/a.txt?action=copy&destination=${encodeURIComponent('/d/a+b.txt')}`,
      undefined,
      { action: 'copy', path: '/anna/a.txt', to: '/anna/d/a b.txt' },
    ],
    ['POST', `${API.share}/a.txt`, {}, { action: 'share', path: '/anna/a.txt' }],
    ['GET', `${API.raw}/d/?algo=tar`, undefined, { action: 'download', path: '/anna/d' }],
  ])('%s %s creates an audit record', async (method, address, body, wanted) => {
    await (await app.anna.call(method, address, body)).body?.cancel()
    expect(await last()).toMatchObject({ username: 'anna', ...wanted })
  })

  const tus = { 'Tus-Resumable': '1.0.0' }
  const withBytes = { ...tus, 'Content-Type': 'application/offset+octet-stream' }
  const append = (name: string, offset: number, part: string) =>
    app.anna.call('PATCH', `${API.tus}/${name}`, part, {
      ...withBytes,
      'Upload-Offset': String(offset),
    })
  const uploadsTo = async (name: string) =>
    (await recordsOf(app.admin, `?action=upload&path=${name}`)).map(({ path, bytes, status }) => ({
      path,
      bytes,
      status,
    }))

  test('a complete upload is one audit record, whatever its client repeats', async () => {
    const length = { ...tus, 'Upload-Length': '6' }
    const made = await app.anna.call('POST', `${API.tus}/t.bin`, undefined, length)
    const exact = made.headers.get('location')?.split('/').at(-1) ?? ''
    await append('t.bin', 0, 'abc')
    await append('t.bin', 3, 'def')
    const recorded = [{ path: '/anna/t.bin', bytes: 6, status: 204 }]
    expect(await uploadsTo('t.bin')).toEqual(recorded)
    for (let turn = 0; turn < 3; turn += 1) expect(await outcome(append(exact, 6, ''))).toBe('204')
    await app.anna.call('HEAD', `${API.tus}/${exact}`, undefined, tus)
    expect(await uploadsTo('t.bin')).toEqual(recorded)
  })

  test('an upload whose bytes come with its creation is an audit record', async () => {
    const headers = { ...withBytes, 'Upload-Length': '3' }
    await app.anna.call('POST', `${API.tus}/at-once.bin`, 'abc', headers)
    expect(await uploadsTo('at-once.bin')).toEqual([
      { path: '/anna/at-once.bin', bytes: 3, status: 201 },
    ])
  })

  test('each sign-in, also a failed one, creates an audit record', async () => {
    await app.anonymous.call('POST', API.login, { username: 'anna', password: 'wrong' })
    expect(await last()).toMatchObject({
      action: 'signIn',
      username: 'anna',
      status: 403,
      session: '',
    })
    expect(await recordsOf(app.anna, '?limit=1')).toMatchObject([
      { action: 'signIn', status: 403, fault: 'wrongCredentials' },
    ])
    const signIns = '?username=anna&action=signIn&result='
    const failed = await recordsOf(app.admin, `${signIns}failed`)
    expect(failed.map(({ status }) => status)).toEqual([403])
    const succeeded = await recordsOf(app.admin, `${signIns}succeeded`)
    expect(new Set(succeeded.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await outcome(app.admin.call('GET', `${API.audit}?result=odd`))).toStartWith('400')
  })

  test('the audit record of a change of an account names the account, also after it was removed', async () => {
    const answer = { what: 'user', which: [], current_password: app.server.password }
    const made = await app.admin.call('POST', API.users, {
      ...answer,
      data: { username: 'short-lived', password: PASSWORD, scope: '/' },
    })
    expect(await last()).toMatchObject({ action: 'addUser', whom: 'short-lived', status: 201 })
    const one = `${API.users}/${made.headers.get('location')?.split('/').pop()}`
    await app.admin.call('DELETE', one, { ...answer, current_password: 'wrong' })
    expect(await last()).toMatchObject({ action: 'removeUser', whom: 'short-lived', status: 400 })
    await app.admin.call('DELETE', one, answer)
    expect(await last()).toMatchObject({ action: 'removeUser', whom: 'short-lived', status: 200 })
  })

  test('a check whether an account can be created or changed is not recorded', async () => {
    const data = { username: 'perhaps', password: 'short' }
    const body = { what: 'user', which: [], data }
    const before = await last()
    for (const [method, address] of [
      ['POST', API.users],
      ['PUT', `${API.users}/1`],
    ] as const) {
      expect(await outcome(app.admin.call(method, `${address}?check=true`, body))).toBe(
        '400 badRequest',
      )
    }
    expect(await last()).toEqual(before)
    // The same request without `check` is recorded.
    await app.admin.call('POST', API.users, body)
    expect(await last()).toMatchObject({ action: 'addUser', whom: 'perhaps', status: 400 })
  })

  test('ending the session of another user is recorded with the name of that user', async () => {
    await app.person('elsewhere')
    const everybody = await (await app.admin.call('GET', `${API.sessions}?all=true`)).json()
    const { id } = everybody.find(({ username }: SessionInfo) => username === 'elsewhere')
    await app.admin.call('DELETE', `${API.sessions}/${id}`)
    expect(await last()).toMatchObject({
      action: 'endSession',
      username: 'admin',
      whom: 'elsewhere',
    })
  })

  test('a refusal is recorded too, also for a visitor', async () => {
    const reader = await app.person('reader', '--scope', '/anna', '--perm.delete=false')
    await reader.call('DELETE', `${API.resources}/a.txt`)
    expect(await last()).toMatchObject({ action: 'delete', username: 'reader', status: 403 })
    await app.anonymous.call('DELETE', `${API.resources}/a.txt`)
    expect(await last()).toMatchObject({ action: 'delete', username: '', status: 401 })
  })

  test('a refused path with a NUL character is recorded as it was sent, and does not break the list', async () => {
    const destination = encodeURIComponent(encodeURIComponent('/a\0b'))
    for (const [method, address, action] of [
      ['PATCH', `${API.resources}/a.txt?action=copy&destination=${destination}`, 'copy'],
      ['GET', `${API.archiveFile}/a.zip?inside=%00`, 'download'],
    ] as const) {
      expect(await outcome(app.anna.call(method, address))).toBe('400 badRequest')
      expect(await last()).toMatchObject({ action, username: 'anna', status: 400 })
      expect(await recordsOf(app.anna, '?limit=1')).toMatchObject([{ action, status: 400 }])
    }
  })

  test('actions of visitors are audit records that name the share', async () => {
    const { hash } = await (await app.anna.call('POST', `${API.share}/d/`, {})).json()
    await app.anonymous.call('GET', `${API.publicShare}/${hash}/`)
    expect(await last()).toMatchObject({ action: 'publicLook', share: hash, username: '' })
  })

  test('administrators see what the share of a record leads to, until the share is deleted; others do not', async () => {
    const { hash } = await (await app.anna.call('POST', `${API.share}/d/`, {})).json()
    await app.anonymous.call('GET', `${API.publicShare}/${hash}/`)
    const [visit] = await recordsOf(app.admin, '?action=publicLook&limit=1')
    expect(visit).toMatchObject({ share: hash, path: '/', sharePath: '/anna/d' })
    const [own] = await recordsOf(app.anna, '?action=share&limit=1')
    expect(own).toMatchObject({ path: '/d', sharePath: '' })
    await app.anna.call('DELETE', `${API.share}/${hash}`)
    const [look] = await recordsOf(app.admin, '?action=publicLook&limit=1')
    expect(look).toMatchObject({ share: hash, sharePath: '' })
  })

  test('an action of a visitor is recorded for the share that was opened, however its path is written', async () => {
    writeFileSync(join(app.root, 'anna/d/x.txt'), 'x')
    const { hash } = await (await app.anna.call('POST', `${API.share}/d/`, {})).json()
    for (const path of ['/x.txt', '/..%2Fx.txt', '/other/..%2F..%2F..%2Fx.txt']) {
      expect(await outcome(app.anonymous.call('GET', `${API.publicDownload}/${hash}${path}`))).toBe(
        '200',
      )
      const record = { action: 'publicDownload', share: hash, path: '/x.txt', status: 200 }
      expect(await last()).toMatchObject(record)
    }
  })

  test('several ranges of one file create one audit record', async () => {
    const before = (await recordsOf(app.admin, '?action=download&limit=1000')).length
    for (const range of ['bytes=0-1', 'bytes=2-3', 'bytes=4-']) {
      await app.anna.call('GET', `${API.raw}/a.txt`, undefined, { Range: range })
    }
    expect(await recordsOf(app.admin, '?action=download&limit=1000')).toHaveLength(before + 1)
  })

  test('a range that lacks only the first byte is recorded as a download', async () => {
    await app.anna.call('GET', `${API.raw}/t.bin`, undefined, { Range: 'bytes=1-' })
    expect(await last()).toMatchObject({ action: 'download', path: '/anna/t.bin', status: 206 })
  })

  test('a range after a refused one is recorded, and so is a refused one after a read', async () => {
    writeFileSync(join(app.root, 'anna/refused.bin'), 'hello')
    const statuses = []
    for (const range of ['bytes=999-', 'bytes=1-', 'bytes=2-', 'bytes=999-']) {
      await app.anna.call('GET', `${API.raw}/refused.bin`, undefined, { Range: range })
      statuses.push((await last())?.status)
    }
    const records = await recordsOf(app.admin, '?path=/anna/refused.bin&limit=1000')
    expect(statuses).toEqual([416, 206, 206, 416])
    expect(records.map(({ status }) => status)).toEqual([416, 206, 416])
  })
})

describe('reading audit records', () => {
  test('audit records are filtered by user, action, path and time, and read page by page', async () => {
    expect((await recordsOf(app.admin, '?username=reader')).map(({ action }) => action)).toContain(
      'delete',
    )
    expect((await recordsOf(app.admin, '?path=b%20c')).map(({ to }) => to)).toEqual([
      '/anna/b c.txt',
    ])
    expect((await recordsOf(app.admin, '?path=new.txt&action=save'))[0]?.path).toBe('/anna/new.txt')
    expect(await recordsOf(app.admin, '?until=2020-01-01T00:00:00Z')).toEqual([])
    const [first, second] = await recordsOf(app.admin, '?limit=2')
    expect((await recordsOf(app.admin, `?limit=1&before=${first?.id}`))[0]?.id).toBe(
      second?.id as number,
    )
  })

  test('the refusal of an invalid filter names it', async () => {
    for (const query of ['action=dance', 'limit=0', 'from=yesterday', 'format=pdf', 'before=x']) {
      const answer = await app.admin.call('GET', `${API.audit}?${query}`)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain(query.split('=')[0] ?? '')
    }
  })

  test('audit records are exported as CSV and as JSON lines, and no cell is a formula', async () => {
    await app.anna.call('POST', `${API.resources}/=1+1,"x".csv`, 'x')
    await app.anonymous.call('POST', API.login, { username: '=cmd()', password: 'x' })
    const csv = await (await app.admin.call('GET', `${API.audit}?format=csv`)).text()
    const [head, ...rows] = csv.trim().split('\r\n')
    expect(head).toBe(
      'id,time,username,session,address,action,path,to,whom,bytes,status,share,times,entry,undoneBy,fault,sharePath,app',
    )
    expect(csv).toContain(`"/anna/=1+1,""x"".csv"`)
    expect(csv).toContain(`,'=cmd(),`)
    const text = await (await app.admin.call('GET', `${API.audit}?format=jsonl`)).text()
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.length).toBeGreaterThanOrEqual(rows.length)
    expect(lines[0]).toHaveProperty('action')
  })
})

test('the records of refused requests name nothing that belongs to another user or that a rule hides @spec-7.58', async () => {
  const entryOf = async (method: string, address: string, body?: BodyInit) =>
    Number((await app.anna.call(method, address, body)).headers.get(JOURNAL_HEADER))
  const created = await entryOf('POST', `${API.resources}/concealed/plan.txt`, 'x')
  const saved = await entryOf('PUT', `${API.resources}/concealed/plan.txt`, 'y')
  const [version]: TrashItemInfo[] = await (
    await app.anna.call('GET', `${API.versions}/concealed/plan.txt`)
  ).json()
  const removed = await entryOf('DELETE', `${API.resources}/concealed/plan.txt`)
  const trash: TrashItemInfo[] = await (await app.anna.call('GET', API.trash)).json()
  const item = trash.find(({ path }) => path === '/concealed/plan.txt')
  const { hash } = await (await app.anna.call('POST', `${API.share}/concealed/`, {})).json()
  const items = [{ path: '/concealed' }]
  const { id: job } = await started(app.anna, { kind: 'copy', items, to: '/d' })
  await ended(app.anna, job)
  const upload = await app.anna.call('POST', `${API.tus}/concealed.txt`, undefined, {
    'Upload-Length': '5',
  })
  expect(upload.status).toBe(201)
  await app.person('concealed-name')
  const sessions: SessionInfo[] = await (
    await app.admin.call('GET', `${API.sessions}?all=true`)
  ).json()
  const session = sessions.find(({ username }) => username === 'concealed-name')
  await app.runCommand('users', 'add', 'curious', PASSWORD, '--scope', '/anna')
  await app.runCommand('rules', 'add', '--user', 'curious', '/concealed')
  const curious = await signIn(app.url, 'curious', PASSWORD)
  const account = `${API.users}/${session?.userID}`
  const edit = { what: 'user', which: ['locale'], data: { locale: 'de' } }
  const since = new Date(0).toISOString()
  const requests: [method: string, address: string, body: object | undefined, result: string][] = [
    ...[created, saved, removed].flatMap((id): typeof requests => [
      ['POST', `${API.journal}/undo`, { id }, '404 notFound'],
      ['POST', `${API.journal}/redo`, { id }, '404 notFound'],
    ]),
    ['POST', `${API.journal}/undo-all`, { username: 'anna', since }, '403 forbidden'],
    ['POST', API.trash, { ids: [item?.id] }, '200'],
    ['DELETE', `${API.trash}?id=${item?.id}`, undefined, '404 notFound'],
    ['DELETE', `${API.trash}?id=${version?.id}`, undefined, '404 notFound'],
    ['GET', `${API.versions}/a.txt?id=${version?.id}`, undefined, '404 notFound'],
    ['POST', `${API.versions}/a.txt?id=${version?.id}`, undefined, '404 notFound'],
    ['DELETE', `${API.share}/${hash}`, undefined, '403 forbidden'],
    ['GET', `${API.jobs}/${job}`, undefined, '404 notFound'],
    ['POST', `${API.jobs}/${job}`, { action: 'retry' }, '404 notFound'],
    ['DELETE', `${API.jobs}/${job}`, undefined, '404 notFound'],
    ['GET', account, undefined, '403 forbidden'],
    ['PUT', account, edit, '403 forbidden'],
    ['DELETE', account, edit, '400 badRequest'],
    ['DELETE', account, { current_password: PASSWORD }, '403 forbidden'],
    ['POST', API.users, edit, '403 forbidden'],
    ['POST', API.invitations, { userID: session?.userID }, '403 forbidden'],
    ['DELETE', `${API.invitations}/${session?.userID}`, undefined, '403 forbidden'],
    ['DELETE', `${API.sessions}/${session?.id}`, undefined, '404 notFound'],
  ]
  for (const [method, address, body, result] of requests) {
    const sent = `${method} ${address}`
    expect(`${sent}: ${await outcome(curious.call(method, address, body))}`).toBe(
      `${sent}: ${result}`,
    )
  }
  const records = await recordsOf(curious)
  expect(records.length).toBeGreaterThan(requests.length / 2)
  expect(JSON.stringify(records)).not.toContain('conceal')
})

test('an audit record cannot be changed', () => {
  const database = new Database(app.database)
  expect(() => database.run('UPDATE audit SET status = 200')).toThrow('never changed')
  database.close()
})

test('a server whose audit is off keeps no audit records', async () => {
  const server = await startServer({ args: ['--audit-entries', '0'] })
  const body = JSON.stringify({ username: 'admin', password: server.password })
  const token = await (await fetch(`${server.url}${API.login}`, { method: 'POST', body })).text()
  const kept = await fetch(`${server.url}${API.audit}`, { headers: { 'X-Auth': token } })
  expect(await kept.json()).toEqual([])
  await server.stop()
})

test('the audit record of a change names its journal entry and the undo; other records name none @spec-2.35', async () => {
  await app.anna.call('POST', `${API.resources}/undone.txt`, 'x')
  const [made] = await recordsOf(app.anna, '?limit=1')
  expect(made).toMatchObject({ action: 'upload', undoneBy: 0 })
  expect(made?.entry).toBeGreaterThan(0)
  await app.anna.call('GET', `${API.raw}/undone.txt`)
  expect(await last()).toMatchObject({ action: 'download', entry: 0, undoneBy: 0 })
  await app.anna.call('POST', `${API.resources}/undone.txt`, 'taken')
  expect(await last()).toMatchObject({ action: 'upload', status: 409, entry: 0 })
  const answer = await app.anna.call('POST', `${API.journal}/undo`, { id: made?.entry })
  const { undoneBy } = await answer.json()
  const [undo, , , again] = await recordsOf(app.anna, '?limit=4')
  expect(undo).toMatchObject({ action: 'undo', entry: undoneBy })
  expect(again).toMatchObject({ id: made?.id, undoneBy })
})

test('a redo has a record of its own, and its entry is undone like that of any change', async () => {
  await app.anna.call('POST', `${API.resources}/again.txt`, 'x')
  const made = await last()
  const call = async (verb: 'undo' | 'redo', id: number | undefined): Promise<number> =>
    (await (await app.anna.call('POST', `${API.journal}/${verb}`, { id })).json()).undoneBy
  await call('undo', made?.entry)
  const entry = await call('redo', made?.entry)
  expect(await last()).toMatchObject({
    action: 'redo',
    path: '/anna/again.txt',
    entry,
    undoneBy: 0,
  })
  expect(await last()).toMatchObject({ undoObstacle: '' })
  const undoneBy = await call('undo', entry)
  const [, redone] = await recordsOf(app.anna, '?limit=2')
  expect(redone).toMatchObject({ action: 'redo', entry, undoneBy })
})

test('changes on the command line are recorded with the account and host of the system', async () => {
  const [newest] = await recordsOf(app.admin, '?limit=1')
  await app.runCommand('users', 'add', 'carl', PASSWORD)
  await app.runCommand('users', 'update', 'carl', '--perm.delete=false')
  await app.runCommand('rules', 'add', '/secret', '--user', 'carl')
  await app.runCommand('rules', 'add', '/secret')
  await app.runCommand('rules', 'rm', '0')
  await app.runCommand('cmds', 'add', 'after_upload', 'true &')
  await app.runCommand('config', 'set', 'minimumPasswordLength', '12')
  await app.runCommand('users', 'invite', 'carl')
  await app.runCommand('sessions', 'end', '--user', 'carl')
  await app.runCommand('users', 'rm', 'carl')
  const made = (await recordsOf(app.admin)).filter(({ id }) => id > (newest?.id ?? 0)).reverse()
  expect(made.map(({ action, whom }) => (whom ? `${action} ${whom}` : action))).toEqual([
    'addUser carl',
    'changeUser carl',
    'changeUser carl',
    'changeSettings',
    'changeSettings',
    'changeSettings',
    'changeSettings',
    'invite carl',
    'endSession carl',
    'removeUser carl',
  ])
  const account = execFileSync('id', ['-un'], { encoding: 'utf8' }).trim()
  for (const { username, address } of made) {
    expect([username, address]).toEqual([`${account}@${hostname()}`, ''])
  }
})

test('refused visits of different shares have separate audit records, those of unknown links have one', async () => {
  const hashes: string[] = []
  for (const password of ['one', 'two']) {
    const answer = await app.anna.call('POST', `${API.share}/d`, { password })
    hashes.push(((await answer.json()) as { hash: string }).hash)
  }
  const [first = '', second = ''] = hashes
  for (const hash of [first, first, first, second, 'unknown1', 'unknown2', 'unknown3']) {
    await app.anonymous.call('GET', `${API.publicShare}/${hash}`)
  }
  const records = await recordsOf(app.admin, '?action=publicLook')
  const refused = records.filter(({ status }) => status >= 400)
  // In the order of their times, which may be the same.
  const seen = refused.map(({ share, status, times }) => `${share} ${status} ${times}`)
  expect(seen.toSorted()).toEqual(
    [
      'unknown3 404 2',
      `${first} 401 2`,
      'unknown1 404 1',
      `${second} 401 1`,
      `${first} 401 1`,
    ].toSorted(),
  )
})
