/** With `--log-format json`, everything that a server prints is JSON. */
import { expect, test } from 'bun:test'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, outcome } from '../support/server/client.ts'
import { cleanEnv, filemgr } from '../support/server/executable.ts'
import { printedBy } from '../support/server/printed.ts'

test('a log in JSON on standard output has no other lines', async () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'srv')
  mkdirSync(root)
  const [program, ...first] = filemgr()
  const words = ['serve', root, '--port', '0', '--database', join(folder.path, 'f.db')]
  const server = spawn(program, [...first, ...words, '--log-format', 'json'], {
    env: cleanEnv(folder.path),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(server, 'close')
  const printed = printedBy(server)
  const url = await printed.first(/"message":"(http[^"]+)"/)
  await printed.first(/This is shown once/)
  await outcome(anonymous(url).call('GET', '/api/users'))
  await printed.first(/Sign in first/)
  server.kill('SIGHUP')
  await printed.first(/The configuration was read again/)
  server.kill('SIGTERM')
  await ended
  const entries = printed
    .all()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.map(({ source }) => source)).toEqual([
    // The address, the first password in two lines, the database, the public address, and the storage.
    ...['serve', 'serve', 'serve', 'serve', 'serve', 'serve'],
    ...['/api/users', 'serve'],
  ])
  folder.remove()
})
