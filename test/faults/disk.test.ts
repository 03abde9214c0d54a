/** A full disk, and a disk that becomes read-only while the server runs: nothing is lost, and responses name the cause. */
import { afterEach, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { until } from '../support/server/broken-connection.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { ageTrash } from '../support/storage/aged-trash.ts'
import { type SmallDisk, startOnSmallDisk } from '../support/system/disk.ts'

const MIB = 1024 * 1024
let disk: SmallDisk
afterEach(() => disk.stop())

async function open(size: string, options?: { database: boolean }): Promise<Client> {
  disk = await startOnSmallDisk(size, options)
  return signIn(disk.server.url, 'admin', disk.server.password)
}
const bytes = (count: number) => new Uint8Array(randomBytes(count))
const read = async (who: Client, name: string) =>
  new Uint8Array(await (await who.call('GET', `${API.raw}/${name}`)).arrayBuffer())
const free = async (who: Client) => {
  const { total, used } = await (await who.call('GET', `${API.usage}/`)).json()
  return total - used
}
const names = async (who: Client) =>
  (await (await who.call('GET', `${API.resources}/`)).json()).items.map(
    ({ name }: { name: string }) => name,
  )
const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }

test('on a full disk, a write that does not fit is refused, and files stay as they are', async () => {
  const admin = await open('8m')
  const [kept, large] = [bytes(5 * MIB), bytes(6 * MIB)]
  expect(await outcome(admin.call('POST', `${API.resources}/kept`, kept))).toBe('200')
  const before = await free(admin)

  expect(await outcome(admin.call('POST', `${API.resources}/new`, large))).toBe('507 noSpace')
  expect(await outcome(admin.call('POST', `${API.resources}/kept?override=true`, large))).toBe(
    '507 noSpace',
  )
  expect(await outcome(admin.call('PUT', `${API.resources}/kept`, large))).toBe('507 noSpace')
  const copy = `${API.resources}/kept?action=copy&destination=%2Fcopy`
  expect(await outcome(admin.call('PATCH', copy))).toBe('507 noSpace')
  const headers = { ...tus, 'Upload-Length': String(6 * MIB) }
  expect(await outcome(admin.call('POST', `${API.tus}/up`, undefined, headers))).toBe('507 noSpace')

  expect(await read(admin, 'kept')).toEqual(kept)
  expect(await names(admin)).toEqual(['kept'])
  expect(await free(admin)).toBeGreaterThanOrEqual(before - 64 * 1024)
  expect(await outcome(admin.call('DELETE', `${API.resources}/kept`))).toBe('204')
  expect(await outcome(admin.call('POST', `${API.resources}/new`, large))).toBe('507 noSpace')
  ageTrash(disk.database)
  // The server closes the downloaded file shortly after its last byte. Until then, the deleted file takes space.
  await until(async () => (await free(admin)) > large.length)
  expect(await outcome(admin.call('POST', `${API.resources}/new`, large))).toBe('200')
  expect(await read(admin, 'new')).toEqual(large)
}, 60_000)

test('an upload that fills the disk stops, and continues when there is space', async () => {
  const admin = await open('8m')
  const content = bytes(5 * MIB)
  const send = (offset: number, part: Uint8Array<ArrayBuffer>) =>
    admin.call('PATCH', `${API.tus}/up`, part, { ...tus, 'Upload-Offset': String(offset) })
  const headers = { ...tus, 'Upload-Length': String(content.length) }
  expect(await outcome(admin.call('POST', `${API.tus}/up`, undefined, headers))).toBe('201')
  expect(await outcome(send(0, content.slice(0, 2 * MIB)))).toBe('204')
  expect(await outcome(admin.call('POST', `${API.resources}/other`, bytes(4 * MIB)))).toBe('200')
  expect((await send(2 * MIB, content.slice(2 * MIB))).status).toBe(507)
  expect(await names(admin)).toEqual(['other'])

  await admin.call('DELETE', `${API.resources}/other`)
  ageTrash(disk.database)
  const head = await admin.call('HEAD', `${API.tus}/up`, undefined, tus)
  const offset = Number(head.headers.get('upload-offset'))
  expect(offset).toBeGreaterThanOrEqual(2 * MIB)
  expect(await outcome(send(offset, content.slice(offset)))).toBe('204')
  expect(await read(admin, 'up')).toEqual(content)
}, 60_000)

test('on a disk that becomes read-only, files are read, and each change is refused with readOnly', async () => {
  const admin = await open('8m')
  const kept = bytes(1000)
  await admin.call('POST', `${API.resources}/kept`, kept)
  await admin.call('POST', `${API.resources}/folder/`)
  await disk.freeze()
  for (const [method, address, body] of [
    ['POST', '/new', 'x'],
    ['POST', '/kept?override=true', 'x'],
    ['PUT', '/kept', 'x'],
    ['DELETE', '/kept', undefined],
    ['POST', '/deeper/', undefined],
    ['PATCH', '/kept?action=rename&destination=%2Fmoved', undefined],
    ['PATCH', '/kept?action=copy&destination=%2Fcopy', undefined],
  ] as const) {
    expect(await outcome(admin.call(method, API.resources + address, body))).toBe('403 readOnly')
  }
  expect(await read(admin, 'kept')).toEqual(kept)
  expect(await names(admin)).toEqual(['folder', 'kept'])
}, 60_000)

test('on a full disk with the database, the server is not ready, files are read and removed, and both are recorded in the audit later', async () => {
  const admin = await open('8m', { database: true })
  const kept = bytes(MIB)
  expect(await outcome(admin.call('POST', `${API.resources}/kept`, kept))).toBe('200')
  for (let size = 4 * MIB, part = 0; size >= 4096; ) {
    const result = await outcome(admin.call('POST', `${API.resources}/f${part}`, bytes(size)))
    if (result === '200') part += 1
    else size /= 2
  }
  const [{ id }] = await (await admin.call('GET', API.users)).json()
  const change = (dateFormat: boolean) =>
    outcome(
      admin.call('PUT', `${API.users}/${id}`, {
        what: 'user',
        which: ['dateFormat'],
        data: { id, dateFormat },
      }),
    )
  // The database file may still have free pages.
  let result = '200'
  for (let time = 0; time < 2000 && result === '200'; time += 1) {
    result = await change(time % 2 === 0)
  }
  expect(result).toBe('507 noSpace')
  const ready = await admin.call('GET', '/ready')
  expect([ready.status, await ready.text()]).toEqual([
    503,
    'There is no space left for the database.\n',
  ])

  expect(await read(admin, 'kept')).toEqual(kept)
  expect(await outcome(admin.call('DELETE', `${API.resources}/f0`))).toBe('204')
  expect(await change(true)).toBe('200')
  // The server keeps the result of a readiness check for a second.
  await until(async () => (await outcome(admin.call('GET', '/ready'))) === '200')
  const records: AuditEntry[] = await (await admin.call('GET', `${API.audit}?limit=1000`)).json()
  expect(records.map(({ action, path }) => `${action} ${path}`)).toContain('delete /f0')
  expect(records.map(({ action, path }) => `${action} ${path}`)).toContain('download /kept')
}, 60_000)
