/** Merges into folders of another file system: they succeed completely, or change nothing. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

/** The content of a file that does not fit on the small disk. */
const LARGE = 'x'.repeat(1_200_000)

if (noMounts) process.stdout.write(`${noMounts}\n`)

describe.skipIf(noMounts !== undefined)('a merge into a folder of another file system', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: TestServer
  let admin: Client
  beforeEach(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    mkdirSync(root)
    const mounts = [
      { at: 'small', sizeMiB: 1 },
      { at: 'large', sizeMiB: 16 },
      { at: 'here/inner', sizeMiB: 1 },
    ]
    server = await startServer({ root, program: withMounts(root, mounts) })
    admin = await signIn(server.url, 'admin', server.password)
  })
  afterEach(async () => {
    await server.stop()
    folder.remove()
  })

  const disk = (name: string) => seenBy(server.pid, join(server.root, name))
  const put = (name: string, content = name) => {
    mkdirSync(dirname(disk(name)), { recursive: true })
    writeFileSync(disk(name), content)
  }
  const merge = (from: string, to: string, action = 'rename') => {
    const destination = encodeURIComponent(`/${to}`)
    const query = `action=${action}&override=true&destination=${destination}`
    return outcome(admin.call('PATCH', `${API.resources}/${from}?${query}`))
  }
  /** The names in a folder, without the private folder. */
  const visible = (top: string) =>
    readdirSync(disk(top))
      .filter((name) => name !== '.filemgr')
      .sort()
  /** So many that some are merged before the file that does not fit: names are read in no order. */
  const many = ['a', ...Array.from({ length: 30 }, (_, number) => `file${number}`)]
  /** The paths below a folder, each with the content of its file, or the inode of its folder. */
  const whole = (top: string) =>
    readdirSync(disk(top), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const stats = statSync(disk(`${top}/${name}`))
        return [name, stats.isFile() ? readFileSync(disk(`${top}/${name}`), 'utf8') : stats.ino]
      })

  test('a merge into another file system that does not fit leaves both folders as they were', async () => {
    for (const name of many) for (const at of ['', 'deep/']) put(`from/${at}${name}`, 'new')
    put('from/deep/m', LARGE)
    for (const name of ['a', 'deep/a']) put(`small/to/${name}`, 'old')
    const [source, target] = [whole('from'), whole('small/to')]
    expect(await merge('from', 'small/to')).toBe('507 noSpace')
    expect(whole('from')).toEqual(source)
    expect(whole('small/to')).toEqual(target)
    expect(readdirSync(disk('small'))).toEqual(['to'])
  })

  test('a merge whose part fails on another file system changes nothing', async () => {
    for (const name of many) for (const at of ['', 'inner/']) put(`from/${at}${name}`, 'new')
    put('from/inner/m', LARGE)
    for (const name of ['a', 'inner/a']) put(`here/${name}`, 'old')
    const [source, target] = [whole('from'), whole('here')]
    for (const action of ['rename', 'copy']) {
      expect(await merge('from', 'here', action)).toBe('507 noSpace')
      expect(whole('from')).toEqual(source)
      expect(whole('here')).toEqual(target)
    }
    put('from/inner/m', 'fits')
    expect(await merge('from', 'here')).toBe('200')
    expect(existsSync(disk('from'))).toBe(false)
    for (const name of ['a', 'inner/a'])
      expect(readFileSync(disk(`here/${name}`), 'utf8')).toBe('new')
    expect(readFileSync(disk('here/inner/m'), 'utf8')).toBe('fits')
    expect(visible('here/inner')).toEqual([...many, 'm'].sort())
  })

  test('a merge into another file system moves links and pipes, and replaces files with their names', async () => {
    for (const name of ['deep/a', 'deep/link', 'b']) put(`from/${name}`, 'new')
    Bun.spawnSync(['rm', disk('from/deep/link')])
    symlinkSync('a', disk('from/deep/link'))
    Bun.spawnSync(['mkfifo', disk('from/pipe')])
    for (const name of ['deep/a', 'deep/link', 'c']) put(`large/to/${name}`, 'old')
    expect(await merge('from', 'large/to')).toBe('200')
    expect(existsSync(disk('from'))).toBe(false)
    expect(readdirSync(disk('large/to')).sort()).toEqual(['b', 'c', 'deep', 'pipe'])
    expect(readFileSync(disk('large/to/deep/link'), 'utf8')).toBe('new')
    expect(statSync(disk('large/to/pipe')).isFIFO()).toBe(true)
    expect(visible('large')).toEqual(['to'])
  })

  test('files can be created on a mount where a file or link has the name of the private folder', async () => {
    const send = (name: string) =>
      outcome(admin.call('POST', `${API.resources}/large/${name}`, name))
    put('large/.filemgr', 'a file')
    expect(await send('one')).toBe('200')
    expect(readdirSync(disk('large')).sort()).toEqual(['filemgr-found', 'one'])
    symlinkSync('/etc', disk('large/.filemgr'))
    expect(await send('two')).toBe('200')
    expect(readdirSync(disk('large')).sort()).toEqual([
      'filemgr-found',
      'filemgr-found(1)',
      'one',
      'two',
    ])
    // Folders that others create in the private folder later are not inspected at each write.
    mkdirSync(disk('large/.filemgr/work/later'), { recursive: true })
    expect(await send('three')).toBe('200')
    expect(readdirSync(disk('large/.filemgr/work'))).toEqual(['later'])
  })
})
