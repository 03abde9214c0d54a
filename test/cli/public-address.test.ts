/** What the first start says about the public address. */
import { expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { filemgr } from '../support/server/executable.ts'
import { startServer } from '../support/server/server.ts'

test('the printed command for the public address works, and has a name for passkeys', async () => {
  const folder = temporaryFolder()
  const database = join(folder.path, 'my data.db')
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const first = await startServer({ root, database })
  expect(await first.stop()).toBe(0)
  const printed = /need it: (.* config set publicAddress .*)$/m.exec(first.output())?.[1] ?? ''
  // The sources have no name in a shell.
  const command = printed.replace(/^filemgr /, `${filemgr().join(' ')} `)
  expect(command).toMatch(/ http:\/\/localhost:\d+ /)
  execFileSync('sh', ['-c', command], { env: { ...process.env, HOME: folder.path } })
  const cat = command.replace(/config set publicAddress \S+/, 'config cat')
  const stored = execFileSync('sh', ['-c', cat], { env: { ...process.env, HOME: folder.path } })
  expect(stored.toString()).toMatch(/publicAddress\s+http:\/\/localhost:\d+/)
  folder.remove()
}, 60_000)

test('an address of the network is no public address for passkeys', async () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const server = await startServer({
    root,
    database: join(folder.path, 'f.db'),
    args: ['--address', '0.0.0.0'],
  })
  await server.stop()
  expect(server.output()).toContain('an address with https and a name, not an IP address.')
  expect(server.output()).not.toContain('config set publicAddress')
  folder.remove()
}, 60_000)
