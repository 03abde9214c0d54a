/** Ranges near the end of a large zip, for which the server must read everything before it can send a byte. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { beginRequest } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const BYTES = 4 * 2 ** 30

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
  for (const folder of ['large', 'others', 'streamed']) {
    mkdirSync(join(app.root, 'anna', folder))
    const file = join(app.root, 'anna', folder, 'disk.img')
    writeFileSync(file, '')
    truncateSync(file, BYTES)
  }
})
afterAll(() => app.stop())

const zipOf = (folder: string) => `${API.raw}/${folder}/?algo=zip`

async function lastRange(folder: string, bytes = 2000): Promise<string> {
  const head = await app.anna.call('HEAD', zipOf(folder))
  const length = Number(head.headers.get('content-length'))
  return `bytes=${length - bytes}-${length - 1}`
}

test('a client that leaves while the server reads takes no place', async () => {
  const range = await lastRange('others')
  for (let turn = 0; turn <= CONCURRENCY_LIMITS.archives.perKey; turn += 1) {
    const connection = await beginRequest(app.url, `GET ${zipOf('others')}`, {
      'X-Auth': app.anna.token,
      Range: range,
    })
    // The server has begun: another request of this connection would wait.
    await Bun.sleep(50)
    connection.cut()
  }
  const isFree = async () => (await outcome(app.anna.call('HEAD', zipOf('others')))) === '200'
  while (!(await isFree())) await Bun.sleep(20)
}, 120_000)

/**
 * The length of a range that curl receives, in one try: other clients send a request again if the connection is closed
 * before the response.
 */
async function received(folder: string, range: string): Promise<number> {
  const curl = Bun.spawn(
    [
      ...['curl', '--silent', '--fail', '--header', `X-Auth: ${app.anna.token}`],
      ...['--header', `Range: ${range}`, app.url + zipOf(folder)],
    ],
    { stdout: 'pipe' },
  )
  const { length } = await new Response(curl.stdout).bytes()
  expect(await curl.exited).toBe(0)
  return length
}

test('the idle timeout does not count the time that the server reads', async () => {
  expect(await received('large', await lastRange('large'))).toBe(2000)
}, 120_000)

test('the idle timeout pauses within a response, too', async () => {
  const bytes = 3 * 2 ** 20
  expect(await received('streamed', await lastRange('streamed', bytes))).toBe(bytes)
}, 120_000)
