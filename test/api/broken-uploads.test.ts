/** The log has a line for each upload whose connection ends before all of its body has arrived. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const ANNOUNCED = 300_000
const SENT = 100_000
const SMALL = 1000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** Sends a part of the announced body and closes the connection. */
async function breakOff(
  method: string,
  target: string,
  announced = ANNOUNCED,
  count = SENT,
  headers: Record<string, string> = {},
): Promise<void> {
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${new URL(app.url).host}`,
    `${TOKEN_HEADER}: ${app.anna.token}`,
    `Content-Length: ${announced}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: Number(new URL(app.url).port),
    socket: { data() {} },
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const bytes = new Uint8Array(count)
  for (let sent = 0; sent < count; ) sent += socket.write(bytes.subarray(sent))
  socket.flush()
  socket.end()
}

const line = (method: string, path: string) =>
  app.server.says(
    new RegExp(
      `^\\S+ \\S+ ${RegExp.escape(path)}: (${method} by anna: the connection ended .*)$`,
      'm',
    ),
  )

test('a broken upload is logged with its user and how much of it has arrived', async () => {
  writeFileSync(join(app.root, 'anna/old.bin'), 'old')
  for (const [method, name] of [
    ['POST', 'new.bin'],
    ['PUT', 'old.bin'],
  ] as const) {
    await breakOff(method, `${API.resources}/${name}`)
    expect(await line(method, `${API.resources}/${name}`)).toMatch(
      new RegExp(` after \\d+ of ${ANNOUNCED} bytes\\.$`),
    )
  }
  const created = await app.anna.call('POST', `${API.tus}/resumed.bin`, undefined, {
    'Upload-Length': String(ANNOUNCED),
  })
  const target = new URL(created.headers.get('Location') ?? '', app.url)
  await breakOff('PATCH', target.pathname + target.search, ANNOUNCED, SENT, {
    'Upload-Offset': '0',
    'Content-Type': 'application/offset+octet-stream',
  })
  expect(await line('PATCH', target.pathname)).toMatch(/ after \d+ of 300000 bytes\.$/)
})

test('a small upload that is broken is logged too', async () => {
  await breakOff('POST', `${API.resources}/small.bin`, SMALL, SMALL / 2)
  expect(await line('POST', `${API.resources}/small.bin`)).toEndWith(
    `before all of ${SMALL} bytes arrived.`,
  )
})
