/** A write on a full disk leaves in the trash what its user has just deleted, and says what it removed of older items. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserUsage } from '#wire/api/entry.ts'
import type { JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { FAULT_HEADER, JOURNAL_HEADER } from '#wire/api/session.ts'
import { readFaultHeader } from '#wire/fault.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, outcomeWithReason } from '../support/server/client.ts'
import { started, until } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { ageTrash } from '../support/storage/aged-trash.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

const MIB = 2 ** 20
const DISK_MIB = 40

/** No two files have the same bytes, so that nothing is stored once for both. */
const bytes = fill

function fill(mib: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(mib * MIB)
  for (let from = 0; from < content.length; from += 65_536)
    crypto.getRandomValues(content.subarray(from, from + 65_536))
  return content
}

interface Refusal {
  status: number
  code: string
  trashBytes?: number
}

/** @param fault as in `X-Fault` */
function refusalOf(fault: string): Omit<Refusal, 'status'> {
  const { code, options } = readFaultHeader(fault) ?? {}
  return { code: String(code), ...options?.params }
}

if (noMounts) process.stdout.write(`${noMounts}\n`)

describe.skipIf(noMounts !== undefined)('a full disk', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp
  let admin: Client
  /** Starts a server whose small disk is at `at`. */
  async function start(at: string): Promise<void> {
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const program = withMounts(folder.path, [{ at, sizeMiB: DISK_MIB, inodes: 2000 }])
    app = await openTestApp({ root, program })
    admin = app.admin
  }
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(async () => {
    await app.stop()
    folder.remove()
  })

  const at = (path: string) => `${API.resources}/${path}`
  /** The content of a file as the server sees it. */
  const seen = (path: string) =>
    readFileSync(seenBy(app.server.pid, join(folder.path, 'root', path)))
  async function change(method: string, path: string, body?: BodyInit): Promise<number> {
    const answer = await admin.call(method, at(path), body)
    expect([path, answer.status]).toEqual([path, method === 'DELETE' ? 204 : 200])
    return Number(answer.headers.get(JOURNAL_HEADER))
  }
  const undo = (id: number) => outcomeWithReason(admin.call('POST', `${API.journal}/undo`, { id }))
  const usage = async (path = ''): Promise<UserUsage> =>
    (await admin.call('GET', `${API.usage}/${path}`)).json()
  const removedFromTrash = async () => (await usage()).removedFromTrash
  /** The fault of a refused request. */
  async function faultOf(answer: Response) {
    await answer.body?.cancel()
    const { code, options } = readFaultHeader(answer.headers.get(FAULT_HEADER) ?? '') ?? {}
    return { status: answer.status, code, ...options }
  }

  /** Deletes 12 MiB and leaves 4 MiB free. @returns the deleted content, and the entry of its deletion */
  async function fillDisk(below = ''): Promise<{ content: Uint8Array; entry: number }> {
    const content = bytes(12)
    await change('POST', `${below}mine`, content)
    await change('POST', `${below}filler`, bytes(24))
    return { content, entry: await change('DELETE', `${below}mine`) }
  }

  /** Each way to write 8 MiB. @returns the response, or the fault of the job */
  const WRITES: Record<string, () => Promise<Refusal>> = {
    'an upload by POST': async () => full(await admin.call('POST', at('new'), bytes(8))),
    'an upload by PUT of a new content': async () => {
      await change('POST', 'saved', 'short')
      return full(await admin.call('PUT', at('saved'), bytes(8)))
    },
    'the creation of a resumable upload': async () =>
      full(
        await admin.call('POST', `${API.tus}/new`, undefined, {
          'Tus-Resumable': '1.0.0',
          'Upload-Length': String(8 * MIB),
        }),
      ),
    'the bytes of a resumable upload': async () => {
      const tus = { 'Tus-Resumable': '1.0.0' }
      const created = await admin.call('POST', `${API.tus}/new`, undefined, {
        ...tus,
        'Upload-Length': String(3 * MIB),
      })
      expect(created.status).toBe(201)
      await change('POST', 'other', bytes(3))
      return full(
        await admin.call('PATCH', `${API.tus}/new`, bytes(3), {
          ...tus,
          'Upload-Offset': '0',
          'Content-Type': 'application/offset+octet-stream',
        }),
      )
    },
    'a batch': async () => {
      await change('POST', 'other', bytes(3.5))
      const form = new FormData()
      form.append('info', JSON.stringify({ path: 'new', modified: 0, override: false }))
      form.append('file', new Blob([bytes(0.75)]), 'file')
      const { results } = await (await admin.call('POST', `${API.batch}/`, form)).json()
      const { status, fault } = results[0]
      return { status, ...refusalOf(fault) }
    },
    'a copy': async () =>
      full(await admin.call('PATCH', `${at('filler')}?action=copy&destination=%2Fcopied`)),
    'a job that copies': () => job({ kind: 'copy', items: [{ path: '/filler' }], to: '/jobs' }),
    'a job that extracts': async () => {
      writeFileSync(join(folder.path, 'zeros'), new Uint8Array(8 * MIB))
      const packed = Bun.spawnSync(['tar', '-czf', '-', '-C', folder.path, 'zeros'])
      await change('POST', 'zeros.tar.gz', Uint8Array.from(packed.stdout))
      return job({ kind: 'extract', items: [{ path: '/zeros.tar.gz' }], to: '/jobs' })
    },
    'a job that archives': () =>
      job({ kind: 'archive', items: [{ path: '/filler' }], to: '/new.tar' }),
  }

  async function full(answer: Response): Promise<Refusal> {
    await answer.body?.cancel()
    return { status: answer.status, ...refusalOf(answer.headers.get(FAULT_HEADER) ?? '') }
  }

  async function job(request: JobRequest): Promise<Refusal> {
    const { id } = await started(admin, request)
    const { fault } = await until(admin, id, ({ state }) => !['waiting', 'running'].includes(state))
    return { status: 507, ...refusalOf(fault) }
  }

  test.each(Object.keys(WRITES))(
    '%s removes nothing that its user has just deleted, and its refusal says what the trash takes up',
    async (name) => {
      await start('root')
      await change('POST', 'jobs/')
      const { content, entry } = await fillDisk()
      const refusal = await WRITES[name]?.()
      expect(refusal).toEqual({ status: 507, code: 'noSpace', trashBytes: expect.any(Number) })
      expect(refusal?.trashBytes).toBeGreaterThanOrEqual(content.length)
      expect(await removedFromTrash()).toBe(0)
      expect(await undo(entry)).toBe('200')
      expect(seen('mine').equals(content)).toBe(true)
    },
  )

  test('a write removes older items of its user, no more than it needs, and their number is told', async () => {
    await start('root')
    const { entry } = await fillDisk()
    await change('POST', 'small', bytes(2))
    const small = await change('DELETE', 'small')
    ageTrash(app.database)
    expect(await removedFromTrash()).toBe(0)
    await change('POST', 'new', bytes(8))
    expect(await removedFromTrash()).toBe(1)
    expect(await undo(small)).toBe('200')
    expect(await undo(entry)).toMatch(/reason=contentDeleted/)
  })

  test.each(['root', 'root/disks/photos'])(
    'what is free is what a write is accepted with, and the rest of the own trash is told (%s)',
    async (disk) => {
      await start(disk)
      const below = disk.slice('root/'.length)
      const name = (file: string) => (below ? `${below}/${file}` : file)
      const { content } = await fillDisk(below && `${below}/`)
      const before = await usage(below)
      expect(before.free).toBeLessThan(8 * MIB)
      expect(before.trash?.bytes).toBeGreaterThanOrEqual(content.length)
      expect(before.trash?.freeBytes).toBe(0)
      const eight = () => outcome(admin.call('POST', at(name('new')), bytes(8)))
      expect(await eight()).toBe('507 noSpace')
      ageTrash(app.database)
      const { free, used, trash } = await usage(below)
      expect(free).toBeGreaterThan(8 * MIB)
      expect(trash?.freeBytes).toBe(before.trash?.bytes)
      expect(used + free).toBe(before.used + before.free)
      expect(await eight()).toBe('200')
    },
  )

  test('an undo on a full disk removes nothing that its user has just deleted', async () => {
    await start('root')
    const saved = bytes(1)
    await change('POST', 'saved', saved)
    const entry = await change('PUT', 'saved', bytes(1))
    await fillDisk()
    await admin.call('POST', at('last'), bytes(1))
    expect(await undo(entry)).toBe('200')
    expect(seen('saved').equals(saved)).toBe(true)
    expect(await removedFromTrash()).toBe(0)
  })

  test('after ten minutes nothing that only the trash takes up is missing to other clients', async () => {
    await start('root')
    await change('POST', 'mine', bytes(30))
    await change('DELETE', 'mine')
    expect(await outcome(admin.call('POST', at('new'), bytes(20)))).toBe('507 noSpace')
    ageTrash(app.database)
    expect(await outcome(admin.call('POST', at('new'), bytes(20)))).toBe('200')
  })

  test('the refusal names the disk that is full, and the trash of that disk', async () => {
    await start('root/disks/photos')
    const { content } = await fillDisk('disks/photos/')
    const refused = await faultOf(await admin.call('POST', at('disks/photos/new'), bytes(8)))
    expect(refused).toMatchObject({ status: 507, code: 'noSpace', disk: '/disks/photos' })
    expect(refused.params?.trashBytes).toBeGreaterThanOrEqual(content.length)
    // For a user whose folder is on that disk, it is the disk of all files.
    const photographer = await app.person('paul', '--scope', '/disks/photos')
    const own = await faultOf(await photographer.call('POST', at('new'), bytes(8)))
    expect(own.code).toBe('noSpace')
    expect([own.params?.trashBytes, own.disk]).toEqual([undefined, undefined])
  })
})
