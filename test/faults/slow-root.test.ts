/** A served folder on a disk that was slow, and then does not answer: it is read by threads, and other requests go on. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse } from '../support/system/fuse.ts'
import { noOverlay } from '../support/system/mounts.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs') ?? noOverlay()
if (refusal) process.stdout.write(`${refusal}\n`)

const TIMEOUT_MS = 180_000
/** Longer than a disk may take that does not count as slow. */
const PAUSE_MS = 1500
const LONG_MS = 62_000

describe.skipIf(refusal !== undefined)('a root on a disk that was slow', () => {
  const mount = new SilentMount('disk')
  let server: TestServer
  let admin: Client

  beforeAll(async () => {
    writeFileSync(mount.remote('a.txt'), 'first')
    writeFileSync(mount.remote('b.txt'), 'second')
    // A network file system would be left to threads from the start.
    await mount.open({ isLowerLayer: true })
    server = await startServer({
      root: join(mount.root, 'disk'),
      program: mount.program,
      args: ['--metrics', '127.0.0.1:0'],
    })
    admin = await signIn(server.url, 'admin', PASSWORD)
  }, TIMEOUT_MS)
  afterAll(async () => {
    mount.wake()
    await server?.stop()
    mount.remove()
  }, TIMEOUT_MS)

  const isSlow = async () => {
    const metrics = await fetch(await server.says(/Metrics at (\S+)/))
    return /path="\/",state="slow"/.test(await metrics.text())
  }
  const read = (name: string) => admin.call('GET', `${API.raw}/${name}`)

  test(
    'is read by threads, so that other requests are answered while it is silent',
    async () => {
      // The server's own work may wait for the disk instead of a request.
      while (!(await isSlow())) {
        mount.silence()
        const waiting = read('a.txt')
        await Bun.sleep(PAUSE_MS)
        mount.wake()
        expect(await (await waiting).text()).toBe('first')
      }
      mount.silence()
      try {
        const silent = [
          read('b.txt'),
          admin.call('GET', `${API.resources}/`),
          admin.call('POST', `${API.resources}/new.txt`, 'new'),
          admin.call('DELETE', `${API.resources}/a.txt`),
        ]
        expect(await outcome(anonymous(server.url).call('GET', API.health))).toBe('200')
        expect((await signIn(server.url, 'admin', PASSWORD)).token).not.toBe('')
        for (const answer of await Promise.all(silent)) {
          expect([answer.status, await answer.text()]).toEqual([
            503,
            expect.stringMatching(/^This disk does not respond\./),
          ])
        }
        const health = await anonymous(server.url).call('GET', API.health)
        expect(await health.json()).toEqual({ status: 'OK', silentDisks: 1 })
        // Longer than a disk counts as slow after a slow call.
        for (const end = Date.now() + LONG_MS; Date.now() < end; await Bun.sleep(1000)) {
          const waiting = outcome(read('b.txt'))
          expect(await outcome(anonymous(server.url).call('GET', API.health))).toBe('200')
          expect(await waiting).toBe('503 unavailable')
        }
      } finally {
        mount.wake()
      }
      while ((await read('b.txt')).status !== 200) await Bun.sleep(50)
      // The thread that changes the disk may notice a moment later than those that read it.
      const post = () => outcome(admin.call('POST', `${API.resources}/later.txt`, 'later'))
      let posted = await post()
      while (posted === '503 unavailable') posted = await post()
      expect(posted).toBe('200')
    },
    TIMEOUT_MS,
  )
})
