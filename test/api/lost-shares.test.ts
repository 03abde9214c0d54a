/** Shares do not pass to something else that gets the name of what was shared. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noMounts, withMounts } from '../support/system/mounts.ts'

async function share(who: Client, path: string): Promise<string> {
  const answer = await who.call('POST', `${API.share}${path}`, {})
  return (await answer.json()).hash
}
const visit = async (url: string, hash: string, below = '') => {
  const answer = await anonymous(url).call('GET', `${API.publicDownload}/${hash}${below}`)
  return answer.ok ? answer.text() : String(answer.status)
}
async function lossOf(who: Client, hash: string): Promise<string | undefined> {
  const all: Share[] = await (await who.call('GET', API.shares)).json()
  return all.find((one) => one.hash === hash)?.lost
}
const adopt = (who: Client, hash: string) => outcome(who.call('POST', `${API.shares}/${hash}`))

describe('a share that has lost its target', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp()
  })
  afterAll(() => app.stop())
  const disk = (path: string) => join(app.root, 'anna', path)

  test('a file of the same name is not shared once nothing had the name, until the owner says so', async () => {
    writeFileSync(disk('report.txt'), 'report')
    const hash = await share(app.anna, '/report.txt')
    expect(await visit(app.url, hash)).toBe('report')
    rmSync(disk('report.txt'))
    expect(await visit(app.url, hash)).toBe('404')
    expect(await lossOf(app.anna, hash)).toBe('missing')
    writeFileSync(disk('report.txt'), 'salaries')
    expect(await visit(app.url, hash)).toBe('404')
    expect(await lossOf(app.anna, hash)).toBe('another')
    const carl = await app.person('carl', '--scope', '/anna')
    expect(await adopt(carl, hash)).toBe('403 forbidden')
    expect(await adopt(app.anna, hash)).toBe('200')
    expect(await visit(app.url, hash)).toBe('salaries')
    expect(await lossOf(app.anna, hash)).toBeUndefined()
  })

  test('the list of the owner sees a missing file too', async () => {
    writeFileSync(disk('seen.txt'), 'seen')
    const hash = await share(app.anna, '/seen.txt')
    rmSync(disk('seen.txt'))
    expect(await lossOf(app.anna, hash)).toBe('missing')
    writeFileSync(disk('seen.txt'), 'another')
    expect(await visit(app.url, hash)).toBe('404')
  })

  test('a file that a program replaces as it saves stays shared', async () => {
    writeFileSync(disk('saved.txt'), 'before')
    const hash = await share(app.anna, '/saved.txt')
    writeFileSync(disk('saved.tmp'), 'after')
    renameSync(disk('saved.tmp'), disk('saved.txt'))
    expect(await visit(app.url, hash)).toBe('after')
  })

  test('a folder that is created again is not shared, and the shared one is when it is back', async () => {
    mkdirSync(disk('album'))
    writeFileSync(disk('album/a.txt'), 'album')
    const hash = await share(app.anna, '/album/')
    renameSync(disk('album'), disk('elsewhere'))
    mkdirSync(disk('album'))
    writeFileSync(disk('album/a.txt'), 'private')
    expect(await visit(app.url, hash, '/a.txt')).toBe('404')
    expect(await lossOf(app.anna, hash)).toBe('another')
    rmSync(disk('album'), { recursive: true })
    expect(await lossOf(app.anna, hash)).toBe('missing')
    expect(await adopt(app.anna, hash)).toBe('404 notFound')
    renameSync(disk('elsewhere'), disk('album'))
    expect(await visit(app.url, hash, '/a.txt')).toBe('album')
  })

  test('a folder that gets the inode of the shared one is another one', async () => {
    mkdirSync(disk('inode'))
    const hash = await share(app.anna, '/inode/')
    // ext4 gives a new folder the inode that has become free.
    rmSync(disk('inode'), { recursive: true })
    mkdirSync(disk('inode'))
    writeFileSync(disk('inode/a.txt'), 'private')
    expect(await visit(app.url, hash, '/a.txt')).toBe('404')
  })

  test('moves and restorations through filemgr keep the share', async () => {
    mkdirSync(disk('kept'))
    writeFileSync(disk('kept/a.txt'), 'kept')
    const hash = await share(app.anna, '/kept/')
    const call = (method: string, address: string) => outcome(app.anna.call(method, address))
    const to = encodeURIComponent('/moved')
    expect(await call('PATCH', `${API.resources}/kept?action=rename&destination=${to}`)).toBe('200')
    expect(await visit(app.url, hash, '/a.txt')).toBe('kept')
    expect(await call('DELETE', `${API.resources}/moved`)).toBe('204')
    expect(await visit(app.url, hash, '/a.txt')).toBe('404')
    const [item] = await (await app.anna.call('GET', API.trash)).json()
    expect(await outcome(app.anna.call('POST', API.trash, { ids: [item.id] }))).toBe('200')
    expect(await visit(app.url, hash, '/a.txt')).toBe('kept')
  })
})

test('shares know their folders again after the whole served folder was copied to another disk', async () => {
  const folder = temporaryFolder()
  const [root, database] = [join(folder.path, 'root'), join(folder.path, 'filemgr.db')]
  mkdirSync(join(root, 'album'), { recursive: true })
  writeFileSync(join(root, 'album/a.txt'), 'album')
  const before = await startServer({ root, database })
  const hash = await share(await signIn(before.url, 'admin', before.password), '/album/')
  await before.stop()
  renameSync(root, `${root}-old`)
  cpSync(`${root}-old`, root, { recursive: true })
  rmSync(`${root}-old`, { recursive: true })
  const after = await startServer({ root, database })
  expect(await visit(after.url, hash, '/a.txt')).toBe('album')
  await after.stop()
  folder.remove()
})

if (noMounts) process.stdout.write(`${noMounts}\n`)
describe.skipIf(noMounts !== undefined)('shares on several disks', () => {
  test('a folder that filemgr moves to another disk, by copying it, stays shared', async () => {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    const program = withMounts(root, [{ at: 'usb', sizeMiB: 8 }])
    mkdirSync(join(root, 'album'))
    writeFileSync(join(root, 'album/a.txt'), 'album')
    const server = await startServer({ root, program })
    const admin = await signIn(server.url, 'admin', server.password)
    const hash = await share(admin, '/album/')
    const to = encodeURIComponent('/usb/album')
    const move = admin.call('PATCH', `${API.resources}/album?action=rename&destination=${to}`)
    expect(await outcome(move)).toBe('200')
    expect(await visit(server.url, hash, '/a.txt')).toBe('album')
    await server.stop()
    folder.remove()
  })

  test('a file whose disk is not mounted for a time stays shared', async () => {
    const folder = temporaryFolder()
    const usb = join(folder.path, 'root/usb')
    mkdirSync(usb, { recursive: true })
    const mount = `mount --bind /mnt '${usb}'`
    const content = ['mount -t tmpfs tmpfs /mnt', 'echo photo > /mnt/photo.txt', mount]
    const program = withMounts(folder.path, [], content)
    const server = await startServer({ root: join(folder.path, 'root'), program })
    const inside = (command: string) => {
      const nsenter = ['nsenter', `--target=${server.pid}`, '--mount', 'sh', '-c', command]
      expect(Bun.spawnSync(nsenter).success).toBe(true)
    }
    const admin = await signIn(server.url, 'admin', server.password)
    const hash = await share(admin, '/usb/photo.txt')
    inside(`umount '${usb}'`)
    expect(await visit(server.url, hash)).toBe('404')
    expect(await lossOf(admin, hash)).toBe('missing')
    inside(mount)
    expect(await visit(server.url, hash)).toBe('photo\n')
    await server.stop()
    folder.remove()
  })
})
