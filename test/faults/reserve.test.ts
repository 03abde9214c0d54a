/**
 * A disk with the served folder and the database becomes full: uploads end before that, everybody can sign in, and the
 * server and the command line start. The reserve of this small disk is a tenth of it.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { started, until } from '../support/server/jobs.ts'
import { PASSWORD, PASSWORD_HASH } from '../support/server/passwords.ts'
import type { TestServer } from '../support/server/server.ts'
import { HeldDisk } from '../support/system/held-disk.ts'
import { noMounts } from '../support/system/mounts.ts'

const MIB = 2 ** 20
const SIZE_MIB = 60
const RESERVE_BYTES = (SIZE_MIB * MIB) / 10

if (noMounts) process.stdout.write(`${noMounts}\n`)

describe.skipIf(noMounts !== undefined)('a disk with the database that becomes full', () => {
  let disk: HeldDisk
  let server: TestServer | undefined
  beforeEach(async () => {
    disk = await HeldDisk.open(SIZE_MIB)
  })
  afterEach(async () => {
    await server?.stop()
    server = undefined
    disk.close()
  })

  async function start(args: string[] = []): Promise<TestServer> {
    server = await disk.start({ args })
    return server
  }
  async function bob(url: string): Promise<Client> {
    const rights = ['rename', 'modify', 'delete', 'share']
    const flags = rights.map((right) => `--perm.${right}=false`)
    const added = await disk.run('users', 'add', 'bob', '--password-hash', PASSWORD_HASH, ...flags)
    expect(added.stderr).toBe('')
    return signIn(url, 'bob', PASSWORD)
  }
  const send = (who: Client, name: string, bytes: number) =>
    outcome(who.call('POST', `${API.resources}/${name}`, new Uint8Array(bytes)))
  /** Uploads ever smaller files until none is accepted. @returns the last refusal */
  async function uploadUntilRefused(who: Client): Promise<string> {
    let answer = ''
    for (let bytes = 4 * MIB, number = 0; bytes >= 1; number += 1) {
      answer = await send(who, `fill${number}`, bytes)
      if (answer !== '200') bytes = Math.floor(bytes / 8)
    }
    return answer
  }
  const signsIn = async () => {
    const answer = await signIn(server?.url ?? '', 'admin', PASSWORD).then(
      () => 'signed in',
      (error) => String(error),
    )
    expect(answer).toBe('signed in')
  }

  test('uploads end before the reserve, delete nothing of others, and everybody can sign in @limit-91', async () => {
    const { url } = await start()
    const admin = await signIn(url, 'admin', PASSWORD)
    for (const name of ['one', 'two']) {
      expect(await send(admin, name, MIB)).toBe('200')
      expect(await outcome(admin.call('DELETE', `${API.resources}/${name}`))).toBe('204')
    }
    const user = await bob(url)
    expect(await uploadUntilRefused(user)).toBe('507 noSpace')
    expect(disk.freeBytes).toBeGreaterThan(RESERVE_BYTES / 2)
    const form = new FormData()
    form.append('file', new Blob(['x']), 'batched')
    const batch = await user.call('POST', API.batch, form)
    expect(await batch.text()).toContain('noSpace')
    const begin = user.call('POST', `${API.tus}/resumed`, undefined, {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '1000',
    })
    expect(await outcome(begin)).toBe('507 noSpace')
    expect(readdirSync(disk.at('root/.filemgr/trash'))).toHaveLength(2)
    await signsIn()
    writeFileSync(disk.at('root/member'), 'member')
    Bun.spawnSync(['tar', 'cf', disk.at('root/some.tar'), '-C', disk.at('root'), 'member'])
    for (const request of [
      { kind: 'copy', items: [{ path: '/fill0' }], to: '/' },
      { kind: 'extract', items: [{ path: '/some.tar' }], to: '/' },
      { kind: 'archive', items: [{ path: '/fill0' }], to: '/new.zip' },
    ] as const) {
      const items = request.items.map(({ path }) => ({ path, decision: 'keepBoth' as const }))
      const { id } = await started(user, { ...request, items })
      const { kind, fault } = await until(user, id, ({ state }) => state === 'paused')
      expect([kind, fault]).toEqual([request.kind, 'noSpace'])
    }
    const copied = user.call('PATCH', `${API.resources}/fill0?action=copy&destination=/copy`)
    expect(await outcome(copied)).toBe('507 noSpace')
  })

  test('everybody can sign in, and free space, when another program has filled the disk', async () => {
    const { url } = await start()
    const admin = await signIn(url, 'admin', PASSWORD)
    expect(await send(admin, 'large', 4 * MIB)).toBe('200')
    disk.fill()
    for (let time = 0; time < 5; time += 1) await signsIn()
    const again = await signIn(url, 'admin', PASSWORD)
    expect(await outcome(again.call('DELETE', `${API.resources}/large`))).toBe('204')
    expect(await outcome(again.call('DELETE', `${API.trash}?all=true`))).toBe('204')
    // The server may have the file open for a moment.
    while (disk.freeBytes < 3 * MIB) await Bun.sleep(20)
  })

  test('the server and commands start on a disk that another program has filled', async () => {
    const { url } = await start()
    const admin = await signIn(url, 'admin', PASSWORD)
    expect(await send(admin, 'large', 4 * MIB)).toBe('200')
    expect(await outcome(admin.call('DELETE', `${API.resources}/large`))).toBe('204')
    await server?.stop()
    disk.fill()
    const users = await disk.run('users', 'ls')
    expect([users.stderr, users.code]).toEqual(['', 0])
    disk.fill()
    await start()
    await signsIn()
    await server?.stop()
    disk.fill()
    const pruned = await disk.run('journal', 'prune', '--all')
    expect(pruned.stdout).toContain('1 item was permanently deleted.')
  })

  test('without the space beside the database, a start and a command say that the disk is full', async () => {
    await start()
    await server?.stop()
    rmSync(disk.at('filemgr.db-reserve'))
    disk.fill()
    const message = 'There is no space left on the disk of the database'
    await expect(start()).rejects.toThrow(message)
    const users = await disk.run('users', 'ls')
    expect(users.stderr).toContain(message)
    disk.drain()
    await start()
    expect(existsSync(disk.at('filemgr.db-reserve'))).toBe(true)
  })

  test('without a reserve uploads go on, and larger options keep more', async () => {
    const { url } = await start(['--reserve', '0'])
    expect(await uploadUntilRefused(await bob(url))).toBe('507 noSpace')
    expect(disk.freeBytes).toBeLessThan(RESERVE_BYTES / 10)
    expect(existsSync(disk.at('filemgr.db-reserve'))).toBe(false)
  })

  test('nothing reads the space beside the database', async () => {
    const { url } = await start()
    const admin = await signIn(url, 'admin', PASSWORD)
    writeFileSync(disk.at('root/seen'), '')
    await server?.stop()
    // The database inside of the served folder.
    server = await disk.start({ root: disk.path })
    const other = await signIn(server.url, 'admin', PASSWORD)
    expect(await outcome(other.call('GET', `${API.raw}/filemgr.db-reserve`))).toBe('403 forbidden')
    expect(admin).toBeDefined()
  })
})
