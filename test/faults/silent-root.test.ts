/** A served folder on a disk that has always answered, and stops: the first request that needs it stops no other one. */
import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

const TIMEOUT_MS = 120_000

const REQUESTS: Record<string, (admin: Client) => Promise<Response>> = {
  file: (admin) => admin.call('GET', `${API.raw}/a.txt`),
  listing: (admin) => admin.call('GET', `${API.resources}/`),
  upload: (admin) => admin.call('POST', `${API.resources}/new.txt`, 'new'),
  removal: (admin) => admin.call('DELETE', `${API.resources}/a.txt`),
  'part of an upload': (admin) =>
    admin.call('PATCH', `${API.tus}/part.txt`, 'bytes', {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    }),
  uploads: (admin) => admin.call('GET', API.uploads),
  usage: (admin) => admin.call('GET', `${API.usage}/`),
}

/** A server on a disk of its own. */
interface Served {
  mount: SilentMount
  server: TestServer
  admin: Client
}

async function serve(): Promise<Served> {
  const mount = new SilentMount('disk')
  writeFileSync(mount.remote('a.txt'), 'first')
  await mount.open()
  const server = await startServer({ root: join(mount.root, 'disk'), program: mount.program })
  const admin = await signIn(server.url, 'admin', PASSWORD)
  expect(await (await admin.call('GET', `${API.raw}/a.txt`)).text()).toBe('first')
  const created = await admin.call('POST', `${API.tus}/part.txt`, undefined, {
    'Tus-Resumable': '1.0.0',
    'Upload-Length': '10',
  })
  expect(created.status).toBe(201)
  return { mount, server, admin }
}

describe.skipIf(refusal !== undefined)('a root on a disk that stops answering', () => {
  const served: Served[] = []

  afterAll(async () => {
    for (const { mount, server } of served) {
      mount.wake()
      await server.stop()
      mount.remove()
    }
  }, TIMEOUT_MS)

  test.concurrent.each(Object.entries(REQUESTS))(
    'stops only the request that needs it: %s',
    async (_, request) => {
      const { mount, server, admin } = await serve()
      served.push({ mount, server, admin })
      // The disk stops directly after an answer, when nothing yet hints at it.
      expect((await admin.call('GET', `${API.raw}/a.txt`)).status).toBe(200)
      mount.silence()
      const first = request(admin)
      expect(await outcome(anonymous(server.url).call('GET', API.health))).toBe('200')
      expect((await signIn(server.url, 'admin', PASSWORD)).token).not.toBe('')
      const answer = await first
      expect([answer.status, await answer.text()]).toEqual([
        503,
        expect.stringMatching(/^This disk does not respond\./),
      ])
      mount.wake()
      while ((await admin.call('GET', `${API.raw}/a.txt`)).status !== 200) await Bun.sleep(50)
    },
    TIMEOUT_MS,
  )
})
