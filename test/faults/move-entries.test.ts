/** Single entries of a folder that is moved or copied to another file system: links are kept, and a failure names its entry. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { mounting, noFuse } from '../support/system/fuse.ts'
import { seenBy, withMounts } from '../support/system/mounts.ts'

const refusal = noFuse('sshfs') ?? noFuse('exfat')
if (refusal) process.stdout.write(`${refusal}\n`)

describe.skipIf(refusal !== undefined)('a folder that goes to another file system', () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  const remote = join(folder.path, 'remote')
  let app: TestApp

  beforeAll(async () => {
    for (const name of ['nas', 'stick']) mkdirSync(join(root, name), { recursive: true })
    app = await openTestApp({
      root,
      program: withMounts(
        root,
        [],
        [
          ...mounting('sshfs', join(root, 'nas'), remote),
          ...mounting('exfat', join(root, 'stick'), join(folder.path, 'image')),
        ],
      ),
    })
  })
  afterAll(async () => {
    await app?.stop()
    folder.remove()
  })

  const transfer = async (action: 'copy' | 'rename', from: string, to: string) => {
    const query = `action=${action}&destination=${encodeURIComponent(encodeURIComponent(to))}`
    const answer = await app.admin.call('PATCH', `${API.resources}/${from}?${query}`)
    return [answer.status, await answer.text()] as const
  }
  /** A folder with links, of which the last one belongs to another account. */
  const linked = () => {
    const path = mkdtempSync(join(root, 'links-'))
    writeFileSync(join(path, 'file'), 'content')
    utimesSync(join(path, 'file'), 1_000_000, 1_000_000)
    for (const [name, target] of LINKS) symlinkSync(target, join(path, name))
    lchownSync(join(path, 'foreign'), 1234, 1234)
    return path
  }
  const LINKS = [
    ['dangling', 'nowhere'],
    ['itself', 'itself'],
    ['to-file', 'file'],
    ['foreign', 'file'],
  ] as const

  test('keeps its links when it is moved to a remote folder, and changes nothing they lead to', async () => {
    const source = linked()
    const name = source.slice(root.length + 1)
    expect(await transfer('rename', name, `/nas/${name}`)).toEqual([200, '200 OK\n'])
    expect(existsSync(source)).toBe(false)
    const moved = (entry: string) => join(remote, name, entry)
    for (const [link, target] of LINKS) expect(readlinkSync(moved(link))).toBe(target)
    expect(readFileSync(moved('file'), 'utf8')).toBe('content')
    const { mtimeMs, uid } = statSync(moved('file'))
    expect([mtimeMs, uid]).toEqual([1_000_000_000, 0])
  })

  test('a copy has the same links where they lead nowhere', async () => {
    const source = linked()
    const name = source.slice(root.length + 1)
    expect(await transfer('copy', name, `/nas/${name}`)).toEqual([200, '200 OK\n'])
    expect(readlinkSync(join(remote, name, 'dangling'))).toBe('nowhere')
  })

  test('belongs to the account of the server where files have no owners, without set-user-id', async () => {
    mkdirSync(join(root, 'owned'))
    writeFileSync(join(root, 'owned/f'), 'content')
    for (const name of ['owned/f', 'owned']) lchownSync(join(root, name), 1234, 1234)
    chmodSync(join(root, 'owned/f'), 0o6755)
    expect(await transfer('rename', 'owned', '/stick/owned')).toEqual([200, '200 OK\n'])
    expect(existsSync(join(root, 'owned'))).toBe(false)
    const moved = seenBy(app.server.pid, join(root, 'stick/owned/f'))
    expect(readFileSync(moved, 'utf8')).toBe('content')
    expect(statSync(moved).mode & 0o6000).toBe(0)
  })

  test('a failure names the entry that it is about', async () => {
    mkdirSync(join(root, 'names/deep'), { recursive: true })
    writeFileSync(join(root, 'names/deep/a:b.txt'), 'x')
    for (const action of ['copy', 'rename'] as const) {
      expect(await transfer(action, 'names', '/stick/names')).toEqual([
        400,
        '400 Bad Request (“deep/a:b.txt”: The file system does not accept this name.)\n',
      ])
    }
    expect(readdirSync(join(root, 'names/deep'))).toEqual(['a:b.txt'])
    mkdirSync(join(root, 'pipes/deep'), { recursive: true })
    Bun.spawnSync(['mkfifo', join(root, 'pipes/deep/pipe')])
    expect(await transfer('rename', 'pipes', '/stick/pipes')).toEqual([
      415,
      '“deep/pipe”: The other file system cannot store this. Move the other files separately.\n',
    ])
    expect(readdirSync(join(root, 'pipes/deep'))).toEqual(['pipe'])
  })
})
