/**
 * A disk that fails: system calls of the server fail with EIO. strace injects these errors; tests are skipped where it may
 * not trace, for example in some containers.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { mayTrace, trace } from '../support/server/tracing.ts'

const canTrace = await mayTrace()

let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, 'admin', server.password)
  for (const name of ['kept', 'moved']) writeFileSync(join(server.root, name), 'whole')
})
afterAll(() => server.stop())

/** Makes these system calls fail. @returns a function that lets them succeed again */
function makeFail(calls: string): Promise<() => Promise<unknown>> {
  return trace(server.pid, ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`])
}

const call = (method: string, address: string, body?: BodyInit) =>
  outcome(admin.call(method, `${API.resources}/${address}`, body))
const staged = () => readdirSync(join(server.root, '.filemgr/work'), { recursive: true }).length

test.skipIf(!canTrace)(
  'a change that cannot be flushed is not confirmed',
  async () => {
    const before = staged()
    const restore = await makeFail('fsync,fdatasync')
    expect(await call('PUT', 'kept', 'half')).toBe('500 internal')
    expect(await call('POST', 'kept?override=true', 'half')).toBe('500 internal')
    expect(await call('POST', 'fresh', 'half')).toBe('500 internal')
    expect(await call('PATCH', 'kept?action=copy&destination=%2Fcopied')).toBe('500 internal')
    expect(await outcome(admin.call('GET', `${API.resources}/`))).toBe('200')
    await restore()

    const names = readdirSync(server.root).filter((name) => !name.startsWith('.'))
    expect(names.sort()).toEqual(['kept', 'moved'])
    expect(readFileSync(join(server.root, 'kept'), 'utf8')).toBe('whole')
    expect(staged()).toBe(before)
    expect(await call('PUT', 'kept', 'restored')).toBe('200')
    const records: AuditEntry[] = await (await admin.call('GET', `${API.audit}?action=save`)).json()
    expect(records.map(({ status }) => status)).toEqual([200, 500])
  },
  60_000,
)

test.skipIf(!canTrace)(
  'a read error does not look like a shorter file',
  async () => {
    const restore = await makeFail('read,pread64,preadv,preadv2,copy_file_range,sendfile,splice')
    const copied = await call('PATCH', 'moved?action=copy&destination=%2Fshort')
    await restore()
    expect(copied).toBe('500 internal')
    expect(readdirSync(server.root)).not.toContain('short')
    expect(await (await admin.call('GET', `${API.raw}/moved`)).text()).toBe('whole')
  },
  60_000,
)

test.skipIf(!canTrace)(
  'an item that cannot be deleted permanently gets its name again',
  async () => {
    await server.stop()
    server = await startServer({ args: ['--trash=false'] })
    admin = await signIn(server.url, 'admin', server.password)
    writeFileSync(join(server.root, 'stays'), 'whole')
    const restore = await makeFail('unlink,unlinkat,rmdir')
    const removed = await call('DELETE', 'stays')
    await restore()
    expect(removed).toBe('500 internal')
    expect(readFileSync(join(server.root, 'stays'), 'utf8')).toBe('whole')
  },
  60_000,
)
