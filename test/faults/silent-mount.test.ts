/** A mount below the root that does not answer: what touches it is refused in time, and everything else goes on. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { threadsOf } from '../support/server/process.ts'
import { received } from '../support/server/received.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

/** The sentence for a file system that does not answer. */
const SENTENCE = 'This disk does not respond.'
const TIMEOUT_MS = 180_000

describe.skipIf(refusal !== undefined)('a mount that does not answer', () => {
  const mount = new SilentMount('nas')
  let app: TestApp
  let admin: Client

  beforeAll(async () => {
    mkdirSync(mount.remote('folder'), { recursive: true })
    writeFileSync(mount.remote('a.txt'), 'on the mount')
    writeFileSync(mount.remote('folder', 'b.txt'), 'deep on the mount')
    writeFileSync(join(mount.root, 'here.txt'), 'here')
    mkdirSync(join(mount.root, 'empty'))
    symlinkSync('nas/folder', join(mount.root, 'link'))
    await mount.open()
    app = await openTestApp({ root: mount.root, program: mount.program })
    admin = app.admin
  }, TIMEOUT_MS)
  afterAll(async () => {
    mount.wake()
    await app?.stop()
    mount.remove()
  }, TIMEOUT_MS)

  const read = async (path: string) => (await admin.call('GET', `${API.raw}${path}`)).text()
  const names = async (path: string) => {
    const answer = await admin.call('GET', `${API.resources}${path}`)
    const { items } = (await answer.json()) as { items: { name: string }[] }
    return items.map(({ name }) => name).sort()
  }
  /** Calls that touch the root's file system only. */
  const everythingElse = async () => {
    expect(await outcome(app.anonymous.call('GET', API.health))).toBe('200')
    expect(await outcome(app.anonymous.call('GET', API.ready))).toBe('200')
    expect((await signIn(app.url, 'admin', PASSWORD)).token).not.toBe('')
    expect(await read('/here.txt')).toBe('here')
    expect(await names('/empty')).toEqual([])
    const put = await outcome(admin.call('POST', `${API.resources}/empty/x.txt`, 'x'))
    const removed = await outcome(admin.call('DELETE', `${API.resources}/empty/x.txt`))
    expect([put, removed]).toEqual(['200', '204'])
  }

  test('is read and written while it answers', async () => {
    expect(await read('/nas/a.txt')).toBe('on the mount')
    expect(await names('/nas')).toEqual(['a.txt', 'folder'])
    expect(await names('/')).toContain('nas')
    expect(await outcome(admin.call('POST', `${API.resources}/nas/new.txt`, 'new'))).toBe('200')
    expect(readFileSync(mount.remote('new.txt'), 'utf8')).toBe('new')
    const [big, range] = [Buffer.alloc(3_000_000, 'abc'), { Range: 'bytes=2999990-' }]
    writeFileSync(mount.remote('big.bin'), big)
    const whole = await admin.call('GET', `${API.raw}/nas/big.bin`)
    expect(Buffer.from(await whole.arrayBuffer()).equals(big)).toBe(true)
    const end = await admin.call('GET', `${API.raw}/nas/big.bin`, undefined, range)
    expect([end.status, await end.text()]).toEqual([206, 'cabcabcabc'])
  })

  test(
    'stops no request for anything else @limit-92',
    async () => {
      mount.silence()
      try {
        const silent = [
          admin.call('GET', `${API.raw}/nas/a.txt`),
          admin.call('GET', `${API.resources}/nas/`),
          admin.call('GET', `${API.resources}/link/b.txt`),
          admin.call('GET', `${API.search}/nas?query=txt`),
          admin.call('GET', `${API.usage}/nas`),
          admin.call('POST', `${API.resources}/nas/more.txt`, 'more'),
          admin.call('POST', `${API.resources}/nas/made/`),
          admin.call('DELETE', `${API.resources}/nas/new.txt`),
          admin.call('PATCH', `${API.resources}/nas/new.txt?action=rename&destination=/n.txt`),
          admin.call('PATCH', `${API.resources}/here.txt?action=copy&destination=/nas/h.txt`),
        ]
        await everythingElse()
        expect(await names('/')).toEqual(['anna', 'empty', 'here.txt', 'link', 'nas'])
        for (const answer of await Promise.all(silent)) {
          expect([answer.url, answer.status, await answer.text()]).toEqual([
            answer.url,
            503,
            // Of a change that is on its way there is more to say.
            expect.stringContaining(SENTENCE),
          ])
        }
        await everythingElse()
      } finally {
        mount.wake()
      }
    },
    TIMEOUT_MS,
  )

  test(
    'has few threads, however many ask @limit-93',
    async () => {
      const before = threadsOf(app.server.pid)
      mount.silence()
      try {
        const asking = Array.from({ length: 100 }, () => admin.call('GET', `${API.raw}/nas/a.txt`))
        await everythingElse()
        const statuses = (await Promise.all(asking)).map(({ status }) => status)
        expect(new Set(statuses)).toEqual(new Set([503]))
        const health = await app.anonymous.call('GET', API.health)
        expect(await health.json()).toEqual({ status: 'OK', silentDisks: 1 })
        // A thread of Bun has some helpers.
        expect(threadsOf(app.server.pid) - before).toBeLessThan(20)
        // A server that starts now listens too.
        await everythingElse()
      } finally {
        mount.wake()
      }
    },
    TIMEOUT_MS,
  )

  test(
    'works again when it has woken up',
    async () => {
      expect(
        await eventually(() => outcome(admin.call('GET', `${API.raw}/nas/a.txt`)), '200'),
      ).toBe('200')
      expect(await names('/nas')).toContain('a.txt')
      expect(await outcome(admin.call('DELETE', `${API.resources}/nas/new.txt`))).toBe('204')
      expect(existsSync(mount.remote('new.txt'))).toBe(false)
    },
    TIMEOUT_MS,
  )

  test(
    'hinders neither search nor archive nor trash of what is elsewhere',
    async () => {
      // The trash of the mount holds something.
      expect(await outcome(admin.call('DELETE', `${API.resources}/nas/a.txt`))).toBe('204')
      mount.silence()
      try {
        await everythingElse()
        const found = await admin.call('GET', `${API.search}/?query=here`)
        // Whether the index needs an answer of the disk to know that this is all depends on what the kernel knows of it.
        expect(await received(found)).toMatchObject({
          status: 200,
          text: expect.stringContaining('here.txt'),
        })
        expect(await outcome(admin.call('GET', `${API.raw}/empty?algo=tar`))).toBe('200')
        const trash = await admin.call('GET', API.trash)
        expect([trash.status, await trash.text()]).toEqual([200, expect.stringContaining('a.txt')])
        expect(await outcome(admin.call('GET', `${API.usage}/`))).toBe('200')
        await everythingElse()
      } finally {
        mount.wake()
      }
    },
    TIMEOUT_MS,
  )

  test(
    'does not keep a server from starting and ending',
    async () => {
      mount.silence()
      try {
        const other = await startServer({ root: mount.root, program: mount.program })
        expect(await outcome(anonymous(other.url).call('GET', API.health))).toBe('200')
        expect(await other.stop()).toBe(0)
      } finally {
        mount.wake()
      }
    },
    TIMEOUT_MS,
  )
})

/** Repeats a call until it has the expected outcome, which takes a moment. */
async function eventually(call: () => Promise<string>, expected: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    const found = await call()
    if (found === expected || tries > 100) return found
    await Bun.sleep(100)
  }
}
