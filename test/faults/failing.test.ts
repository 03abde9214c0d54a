/**
 * A disk that fails: from some moment on the kernel answers certain calls of the server with EIO.
 * strace does that, where this machine lets it (a container may not).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/audit.ts'
import { API } from '#wire/routes.ts'
import { type Client, outcome, signIn } from '../support/client.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { mayTrace, trace } from '../support/tracing.ts'

const traces = await mayTrace()

let server: TestServer
let admin: Client
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, 'admin', server.password)
  for (const name of ['kept', 'moved']) writeFileSync(join(server.root, name), 'whole')
})
afterAll(() => server.stop())

/** From here on these system calls fail. @returns lets them work again */
function failing(calls: string): Promise<() => Promise<unknown>> {
  return trace(server.pid, ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=EIO`])
}

const call = (method: string, address: string, body?: BodyInit) =>
  outcome(admin.call(method, `${API.resources}/${address}`, body))
const staged = () => readdirSync(join(server.root, '.filemgr/work'), { recursive: true }).length

test.skipIf(!traces)(
  'a change that cannot be flushed is not confirmed',
  async () => {
    const before = staged()
    const heal = await failing('fsync,fdatasync')
    expect(await call('PUT', 'kept', 'half')).toBe('500 internal')
    expect(await call('POST', 'kept?override=true', 'half')).toBe('500 internal')
    expect(await call('POST', 'fresh', 'half')).toBe('500 internal')
    expect(await call('PATCH', 'kept?action=copy&destination=%2Fcopied')).toBe('500 internal')
    expect(await outcome(admin.call('GET', `${API.resources}/`))).toBe('200')
    await heal()

    const names = readdirSync(server.root).filter((name) => !name.startsWith('.'))
    expect(names.sort()).toEqual(['kept', 'moved'])
    expect(readFileSync(join(server.root, 'kept'), 'utf8')).toBe('whole')
    expect(staged()).toBe(before)
    expect(await call('PUT', 'kept', 'healed')).toBe('200')
    const acts: AuditEntry[] = await (await admin.call('GET', `${API.audit}?action=save`)).json()
    expect(acts.map(({ status }) => status)).toEqual([200, 500])
  },
  60_000,
)

test.skipIf(!traces)(
  'a read error does not look like a shorter file',
  async () => {
    const heal = await failing('read,pread64,preadv,preadv2,copy_file_range,sendfile,splice')
    const copied = await call('PATCH', 'moved?action=copy&destination=%2Fshort')
    await heal()
    expect(copied).toBe('500 internal')
    expect(readdirSync(server.root)).not.toContain('short')
    expect(await (await admin.call('GET', `${API.raw}/moved`)).text()).toBe('whole')
  },
  60_000,
)

test.skipIf(!traces)(
  'an item that cannot be deleted permanently gets its name again',
  async () => {
    await server.stop()
    server = await startServer({ args: ['--trash=false'] })
    admin = await signIn(server.url, 'admin', server.password)
    writeFileSync(join(server.root, 'stays'), 'whole')
    const heal = await failing('unlink,unlinkat,rmdir')
    const removed = await call('DELETE', 'stays')
    await heal()
    expect(removed).toBe('500 internal')
    expect(readFileSync(join(server.root, 'stays'), 'utf8')).toBe('whole')
  },
  60_000,
)
