/** Commands while a disk with a trash of its own does not respond: they run elsewhere, and see nothing of that disk. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { say } from '../support/server/shell.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

/** What a command sees of the disk: its trash is an empty folder. */
const SEEN = ['nas', 'nas/.filemgr', 'nas/a.txt']
const TIMEOUT_MS = 180_000

describe.skipIf(refusal !== undefined)('while a disk with a trash does not respond', () => {
  const mount = new SilentMount('outer/nas')
  let app: TestApp
  let everywhere: Client
  let elsewhere: Client

  beforeAll(async () => {
    for (const name of ['a.txt', 'deleted.txt']) writeFileSync(mount.remote(name), 'on the mount')
    writeFileSync(join(mount.root, 'outer', 'here.txt'), 'here')
    mkdirSync(join(mount.root, 'other'))
    writeFileSync(join(mount.root, 'other', 'b.txt'), 'elsewhere')
    await mount.open()
    app = await openTestApp({ root: mount.root, program: mount.program, args: ['--exec'] })
    const may = ['--perm.execute', '--commands', 'ls,find']
    everywhere = await app.person('everywhere', '--scope', '/', ...may)
    elsewhere = await app.person('elsewhere', '--scope', '/other', ...may)
    const deletion = app.admin.call('DELETE', `${API.resources}/outer/nas/deleted.txt`)
    expect(await outcome(deletion)).toBe('204')
    expect(await printed(everywhere, 'find nas', '/outer')).toEqual(SEEN)
    mount.silence()
  }, TIMEOUT_MS)
  afterAll(async () => {
    mount.wake()
    await app?.stop()
    mount.remove()
  }, TIMEOUT_MS)

  const printed = async (user: Client, line: string, folder: string) =>
    (await say(user, app.url, line, folder)).lines.filter((line) => line !== '').sort()

  test(
    'a command of a user whose folder does not contain it runs',
    async () => {
      expect(await printed(elsewhere, 'ls', '/')).toEqual(['b.txt'])
    },
    TIMEOUT_MS,
  )

  test(
    'a command beside it runs, and cannot enter it',
    async () => {
      expect(await printed(everywhere, 'ls', '/other')).toEqual(['b.txt'])
      const found = await printed(everywhere, 'find', '/outer')
      expect(found.filter((line) => line.startsWith('.'))).toEqual(['.', './here.txt', './nas'])
      expect(found.join()).toMatch(/nas.*Transport endpoint is not connected/)
    },
    TIMEOUT_MS,
  )

  test(
    'a command in it is refused',
    async () => {
      const refused = printed(everywhere, 'ls', '/outer/nas').catch(({ message }) => message)
      expect(await refused).toBe('The socket was refused.')
    },
    TIMEOUT_MS,
  )

  test(
    'its trash stays hidden from commands when it has woken up',
    async () => {
      mount.wake()
      while ((await outcome(app.admin.call('GET', `${API.raw}/outer/nas/a.txt`))) !== '200')
        await Bun.sleep(50)
      const found = await printed(everywhere, 'find nas', '/outer')
      expect(found).toEqual(SEEN)
    },
    TIMEOUT_MS,
  )
})
