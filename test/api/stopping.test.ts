/** A stop while clients send: their requests end before the database is closed. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { beginRequest } from '../support/server/broken-connection.ts'
import { signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'

const LENGTH = 100_000

test('slow requests end without an error of the server when it stops', async () => {
  const server = await startServer()
  writeFileSync(join(server.root, 'saved.txt'), 'old')
  const admin = await signIn(server.url, 'admin', server.password)
  const tus = { 'Tus-Resumable': '1.0.0' }
  const create = { ...tus, 'Upload-Length': String(LENGTH) }
  expect((await admin.call('POST', `${API.tus}/c.bin`, undefined, create)).status).toBe(201)
  const headers = { 'X-Auth': admin.token, 'Content-Length': String(LENGTH) }
  const patch = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' }
  const body = 'x'.repeat(1000)
  const begun = [
    await beginRequest(server.url, `POST ${API.resources}/a.bin`, headers, body),
    await beginRequest(server.url, `PUT ${API.resources}/saved.txt`, headers, body),
    await beginRequest(
      server.url,
      `PATCH ${API.tus}/c.bin`,
      { ...headers, ...tus, ...patch },
      body,
    ),
  ]
  for (const { socket } of begun) socket.on('error', () => undefined)
  const sending = setInterval(() => begun.map(({ socket }) => socket.write('y')), 50)
  await Bun.sleep(200)
  const root = readdirSync(server.root).filter((name) => name !== '.filemgr')
  expect([root, readFileSync(join(server.root, 'saved.txt'), 'utf8')]).toEqual([
    ['saved.txt'],
    'old',
  ])
  expect(await server.stop()).toBe(0)
  clearInterval(sending)
  expect(server.output()).not.toMatch(/ 500 |closed database/)
}, 60_000)
