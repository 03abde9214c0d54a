/** When an archive is closed of which one file is sent. */
import { expect, test } from 'bun:test'
import { Hono } from 'hono'
import { Scope } from '#server/access/scope/scope.ts'
import { sendArchiveFile } from '#server/http/content/archive-contents.ts'
import type { Env } from '#server/http/context/context.ts'
import { createLimits } from '#server/http/context/limits.ts'
import { Metrics } from '#server/http/observation/metrics.ts'
import { parsePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { tarOf, zipOf } from '../../../support/files/made-archives.ts'
import { actorOf } from '../../../support/storage/actor.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'

const LARGE = new Uint8Array(3 * 2 ** 20).fill(7)
const CHUNK_BYTES = 64 * 1024
const ENTRIES = [
  { name: 'small', content: 'small' },
  { name: 'large', content: LARGE },
  { name: 'last', content: 'last' },
]
/** The content is longer than the archive says, which is noticed while it is read. */
const DAMAGED = { name: 'damaged', content: LARGE, says: { sizeBytes: 2 * 2 ** 20 } }

/** Counts the files that are opened and closed. */
class Counting extends MemoryStorage {
  opened = 0
  closed = 0

  override within(): this {
    return this
  }

  override async read(
    ...args: Parameters<MemoryStorage['read']>
  ): ReturnType<MemoryStorage['read']> {
    const file = await super.read(...args)
    this.opened += 1
    let unread = await new Response(file.bytes).bytes()
    const bytes = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (unread.length === 0) {
            this.closed += 1
            return controller.close()
          }
          controller.enqueue(unread.subarray(0, CHUNK_BYTES))
          unread = unread.subarray(CHUNK_BYTES)
        },
        cancel: () => {
          this.closed += 1
        },
      },
      { highWaterMark: 0 },
    )
    return { ...file, bytes }
  }
}

async function open(archive: string) {
  const storage = new Counting()
  await storage.write(parsePath('/a.zip'), zipOf(...ENTRIES), { overwrite: true })
  await storage.write(parsePath('/damaged.zip'), zipOf(DAMAGED), { overwrite: true })
  await storage.write(parsePath('/a.tar'), tarOf(...ENTRIES), { overwrite: true })
  const actor = actorOf({ id: 1, username: 'anna', perm: permissionsOf('download') })
  const scope = new Scope(storage, actor, NO_SHARES, async () => undefined)
  const limits = createLimits()
  const http = new Hono<Env>()
  http.get('/:name', (call) => {
    call.set('limits', limits)
    call.set('requestPermit', { [Symbol.dispose]: () => undefined })
    call.set('metrics', new Metrics())
    call.set('path', '/')
    call.set('address', '192.0.2.1')
    call.set('logger', {
      refused: () => undefined,
      logLine: () => undefined,
      redirect: () => undefined,
    })
    return sendArchiveFile(call, scope, parsePath(archive))
  })
  http.onError((error) => new Response(error.message, { status: 500 }))
  const env = { peer: '192.0.2.1', idleSec: 10, timeout: () => undefined }
  const ask = async (name: string, options: RequestInit = {}) =>
    http.request(`/file?inside=${name}`, options, env)
  return { storage, ask }
}

/** What clients do with a response, and the file that they request. */
const CLIENTS: [string, string, RequestInit, (response: Response) => Promise<unknown>][] = [
  ['a client reads a small file', 'small', {}, (response) => response.bytes()],
  ['a client reads a large file', 'large', {}, (response) => response.bytes()],
  ['a client leaves before the first byte', 'large', {}, async ({ body }) => body?.cancel()],
  [
    'a client leaves after the first byte',
    'large',
    {},
    async ({ body }) => {
      const reader = body?.getReader()
      expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
      await reader?.cancel()
    },
  ],
  [
    'a client asks for the headers',
    'large',
    { method: 'HEAD' },
    async ({ headers }) => expect(headers.get('content-length')).toBe(`${LARGE.length}`),
  ],
  [
    'the file is missing',
    'missing',
    {},
    async (response) => expect(await response.text()).toContain('does not contain'),
  ],
]

for (const archive of ['/a.zip', '/a.tar']) {
  test.each(CLIENTS)(`${archive} is closed when %s`, async (_, name, options, use) => {
    const { storage, ask } = await open(archive)
    await use(await ask(name, options))
    expect(storage.opened).toBeGreaterThan(0)
    expect(storage.closed).toBe(storage.opened)
  })

  test(`${archive} is closed when a client has its file already`, async () => {
    const { storage, ask } = await open(archive)
    const known = await ask('large', { method: 'HEAD' })
    const headers = { 'If-None-Match': known.headers.get('etag') ?? '' }
    expect((await ask('large', { headers })).status).toBe(304)
    expect(storage.closed).toBe(storage.opened)
  })
}

test('an archive is closed when its file is damaged', async () => {
  const { storage, ask } = await open('/damaged.zip')
  await expect((await ask('damaged')).bytes()).rejects.toThrow('damaged')
  expect(storage.closed).toBe(storage.opened)
})
