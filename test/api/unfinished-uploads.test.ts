/** Unfinished uploads are listed with their owners, ended by administrators, and removed with the account. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { ServerStatus } from '#wire/api/status.ts'
import type { UnfinishedUpload } from '#wire/api/uploads.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const TUS = { 'Tus-Resumable': '1.0.0' }
const SIZE = 2 * 2 ** 20
const ADDRESS_ID = /upload=([0-9a-f]+)/

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const create = (client: Client, name: string, bytes: number) =>
  client.call('POST', `${API.tus}/${name}`, undefined, {
    ...TUS,
    'Upload-Length': String(bytes),
  })

/** Begins an upload and sends some bytes. @returns its id */
async function begin(client: Client, name: string, bytes = SIZE): Promise<string> {
  const address = (await create(client, name, bytes)).headers.get('location') ?? ''
  const headers = {
    ...TUS,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  }
  expect(await outcome(client.call('PATCH', address, 'part', headers))).toBe('204')
  return ADDRESS_ID.exec(address)?.[1] ?? ''
}

const listed = async (client: Client): Promise<UnfinishedUpload[]> =>
  (await client.call('GET', API.uploads)).json()
const end = (client: Client, id: string) => outcome(client.call('DELETE', `${API.uploads}/${id}`))
const staged = () => readdirSync(join(app.root, '.filemgr/uploads'))

test('users see and end their own unfinished uploads, administrators all', async () => {
  const bert = await app.person('bert', '--scope', '/bert')
  const id = await begin(app.anna, 'mine')
  expect(await outcome(app.anonymous.call('GET', API.uploads))).toBe('401 unauthenticated')
  expect(await outcome(app.anonymous.call('DELETE', `${API.uploads}/${id}`))).toBe(
    '401 unauthenticated',
  )
  expect(await listed(bert)).toEqual([])
  expect(await end(bert, id)).toBe('404 notFound')
  const facts = { id, username: 'anna', size: SIZE, received: 4 }
  expect(await listed(app.anna)).toMatchObject([{ ...facts, path: '/mine' }])
  expect(await listed(app.admin)).toMatchObject([{ ...facts, path: '/anna/mine' }])
  const status: ServerStatus = await (await app.admin.call('GET', API.status)).json()
  expect(status.unfinishedUploads).toEqual({ count: 1, bytes: 4 })
  expect(await end(app.admin, id)).toBe('204')
  expect(await end(app.admin, id)).toBe('404 notFound')
  expect([await listed(app.admin), staged()]).toEqual([[], []])
  const own = await begin(app.anna, 'own')
  expect(await end(app.anna, own)).toBe('204')
  expect(staged()).toEqual([])
})

test('an upload that is ended while it is sent stops', async () => {
  const address = (await create(app.anna, 'sent', SIZE)).headers.get('location') ?? ''
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new Uint8Array(1000)),
  })
  const headers = {
    ...TUS,
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  }
  const sending = outcome(app.anna.call('PATCH', address, body, headers))
  while (staged().length === 0) await Bun.sleep(20)
  const [upload] = await listed(app.anna)
  expect(await end(app.anna, upload?.id ?? '')).toBe('204')
  expect(await sending).toBe('404 notFound')
  expect(staged()).toEqual([])
})

test('the command line lists and ends unfinished uploads', async () => {
  const [id, other] = [await begin(app.anna, 'first'), await begin(app.anna, 'second')]
  const run = (...args: string[]) =>
    runFilemgr(['uploads', ...args, '--database', app.database], { home: app.root })
  const { stdout } = await run('ls', '--json')
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ id, username: 'anna', path: '/anna/first', received: 4 }),
  )
  expect((await run('end', 'absent')).code).not.toBe(0)
  expect((await run('end', id)).code).toBe(0)
  expect(staged()).toEqual([other])
  expect((await run('end', '--user', 'anna')).code).toBe(0)
  expect([await listed(app.admin), staged()]).toEqual([[], []])
})

test('the unfinished uploads of an account are removed with it', async () => {
  const leaver = await app.person('leaver', '--scope', '/leaver')
  await begin(leaver, 'large')
  const small = await create(leaver, 'small', 100)
  expect(small.status).toBe(201)
  const users: { id: number; username: string }[] = await (
    await app.admin.call('GET', API.users)
  ).json()
  const id = users.find(({ username }) => username === 'leaver')?.id
  const removal = app.admin.call('DELETE', `${API.users}/${id}`, { current_password: PASSWORD })
  expect(await outcome(removal)).toBe('200')
  while (staged().length > 0) await Bun.sleep(100)
}, 30_000)

test('what is declared and not sent does not exceed the disk, and leaves other users a share @limit-101', async () => {
  const { bavail, bsize } = statfsSync(app.root)
  const free = bavail * bsize
  const mostly = Math.floor(free * 0.6)
  expect((await create(app.anna, 'first', mostly)).status).toBe(201)
  expect(await outcome(create(app.anna, 'second', mostly))).toBe('507 noSpace')
  // The same upload again replaces the first one.
  const again = { ...TUS, 'Upload-Length': String(mostly) }
  const path = `${API.tus}/first?override=true`
  expect((await app.anna.call('POST', path, undefined, again)).status).toBe(201)
  expect((await create(app.admin, 'other', Math.floor(free * 0.45))).status).toBe(201)
  expect(await outcome(create(app.admin, 'third', Math.floor(free * 0.2)))).toBe('507 noSpace')
})

test('of more unfinished uploads than a list has, the largest are listed @limit-102', async () => {
  for (const { id } of await listed(app.admin)) expect(await end(app.admin, id)).toBe('204')
  const bert = await app.person('many', '--scope', '/many')
  for (const [who, sizes] of [
    [app.anna, 500],
    [bert, 501],
  ] as const) {
    for (let at = 0; at < sizes; at += 1) {
      expect((await create(who, `many-${at}`, who === bert && at === 0 ? 1 : 2)).status).toBe(201)
    }
  }
  const all = await listed(app.admin)
  expect(all).toHaveLength(1000)
  expect(all.every(({ size }) => size === 2)).toBe(true)
})
