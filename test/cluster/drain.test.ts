/** A stop with `--drain`: a load balancer learns of it while the server still serves, and no request is refused. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { anonymous, outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'

test('a server that stops says so, serves on, stops listening, and ends what runs @spec-10.20', async () => {
  const server = await startServer({ args: ['--drain', '3s'] })
  writeFileSync(join(server.root, 'file.txt'), 'text')
  const visitor = anonymous(server.url)
  const admin = await signIn(server.url, 'admin', server.password)
  const headers = { 'X-Auth': admin.token, 'Content-Length': '8' }
  const running = await beginRequest(server.url, `POST ${API.resources}/sent`, headers, 'half')
  expect(await outcome(visitor.call('GET', API.ready))).toBe('200')
  const stopped = server.stop()
  await server.says(/The server stops in 3 s\. Until then, \/ready answers 503\./)
  const ready = await visitor.call('GET', API.ready)
  expect([ready.status, await ready.text()]).toEqual([503, 'The server is stopping.\n'])
  expect(await outcome(visitor.call('GET', API.health))).toBe('200')
  expect(await outcome(admin.call('GET', `${API.raw}/file.txt`))).toBe('200')
  expect(await outcome(admin.call('POST', `${API.resources}/new`, 'new'))).toBe('200')
  const refused = async () => {
    try {
      await fetch(`${server.url}${API.health}`, { headers: { Connection: 'close' } })
      return false
    } catch {
      return true
    }
  }
  await until(refused)
  running.socket.write('half')
  await running.receives(/^HTTP\/1\.1 200 /)
  running.socket.end()
  expect(readFileSync(join(server.root, 'sent'), 'utf8')).toBe('halfhalf')
  expect(await stopped).toBe(0)
}, 60_000)
