/**
 * Operations on a file system that is mounted inside the served folder: no file is lost, no change is incomplete, no staged
 * file is left, and rules apply.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { outcome, outcomeWithReason, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noMounts, seenBy, withMounts } from '../support/system/mounts.ts'

if (noMounts) process.stdout.write(`${noMounts}\n`)

describe.skipIf(noMounts !== undefined)('a file system mounted inside the served folder', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let app: TestApp

  beforeAll(async () => {
    folder = temporaryFolder()
    const root = join(folder.path, 'root')
    const elsewhere = join(folder.path, 'elsewhere')
    const own = join(root, '.filemgr')
    const deepInOwn = join(own, 'uploads/deep/deeper')
    for (const path of [elsewhere, deepInOwn, join(root, 'anna/first/dir/deep')]) {
      mkdirSync(path, { recursive: true })
    }
    app = await openTestApp({
      root,
      program: withMounts(root, [
        { at: 'anna/disk', sizeMiB: 64 },
        { at: 'anna/small', sizeMiB: 1 },
        { at: 'anna/bound', folder: elsewhere },
        { at: 'anna/deep/inner', sizeMiB: 16 },
        { at: 'anna/again', folder: join(root, 'anna/first') },
        { at: 'anna/below', folder: join(root, 'anna/first/dir/deep') },
        { at: 'anna/beside/deep', folder: join(root, 'anna/first/dir/deep') },
        { at: 'anna/inside', folder: own },
        { at: 'anna/part', folder: join(own, 'uploads') },
        { at: 'anna/small part', folder: deepInOwn },
      ]),
    })
  })
  afterAll(async () => {
    await app.stop()
    folder.remove()
  })

  /** A path below anna's folder, as the server sees it. */
  const disk = (name: string) => seenBy(app.server.pid, join(app.root, 'anna', name))
  const put = (name: string, content = name) => {
    mkdirSync(join(disk(name), '..'), { recursive: true })
    writeFileSync(disk(name), content)
  }
  const transfer = (action: 'copy' | 'rename', from: string, to: string, query = '') =>
    app.anna.call(
      'PATCH',
      `${API.resources}/${from}?action=${action}&destination=${encodeURIComponent(`/${to}`)}${query}`,
    )
  const move = (from: string, to: string, query = '') =>
    outcome(transfer('rename', from, to, query))
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  /** The private folder of a mount must contain nothing except trash. */
  const expectClean = (name: string) => {
    const own = existsSync(disk(`${name}/.filemgr`)) ? readdirSync(disk(`${name}/.filemgr`)) : []
    expect(own.filter((each) => !each.startsWith('trash-'))).toEqual([])
  }

  test('a move to a mount keeps links, pipes, owners, hard links, holes and names that are not UTF-8', async () => {
    put('whole/deep/a.txt')
    writeFileSync(Buffer.concat([Buffer.from(disk('whole/caf')), latin1('\xe9.txt')]), 'latin')
    symlinkSync('deep/a.txt', disk('whole/link'))
    symlinkSync('/etc/passwd', disk('whole/out'))
    symlinkSync('nowhere', disk('whole/dangling'))
    linkSync(disk('whole/deep/a.txt'), disk('whole/second-name'))
    Bun.spawnSync(['mkfifo', disk('whole/pipe')])
    if (process.getuid?.() === 0) {
      for (const name of ['whole/deep', 'whole/deep/a.txt']) chownSync(disk(name), 65534, 65534)
    }
    const { uid } = statSync(disk('whole/deep'))
    writeFileSync(disk('whole/sparse'), 'begin')
    truncateSync(disk('whole/sparse'), 40 * 1024 * 1024)
    const inWork = () => readdirSync(join(app.root, '.filemgr/work'), { recursive: true }).sort()
    const before = inWork()
    expect(await move('whole', 'disk/whole')).toBe('200')
    expect(existsSync(disk('whole'))).toBe(false)
    expect(inWork()).toEqual(before)
    const names = readdirSync(disk('disk/whole'), { encoding: 'latin1' }).sort()
    expect(names).toEqual(
      ['caf\xe9.txt', 'dangling', 'deep', 'link', 'out', 'pipe', 'second-name', 'sparse'].sort(),
    )
    expect(readlinkSync(disk('disk/whole/out'))).toBe('/etc/passwd')
    expect(readlinkSync(disk('disk/whole/link'))).toBe('deep/a.txt')
    expect(lstatSync(disk('disk/whole/pipe')).isFIFO()).toBe(true)
    const ino = (name: string) => statSync(disk(`disk/whole/${name}`)).ino
    expect(ino('second-name')).toBe(ino('deep/a.txt'))
    for (const name of ['deep', 'deep/a.txt']) {
      expect(statSync(disk(`disk/whole/${name}`)).uid).toBe(uid)
    }
    const sparse = statSync(disk('disk/whole/sparse'))
    expect(sparse.size).toBe(40 * 1024 * 1024)
    expect(sparse.blocks * 512).toBeLessThan(1024 * 1024)
    expectClean('disk')
  })

  test('a change that succeeds while a folder moves to a mount is not lost', async () => {
    for (let file = 0; file < 400; file += 1) put(`busy/f${file}`, 'x'.repeat(2000))
    const succeeded: string[] = []
    let isMoved = false
    const moving = move('busy', 'disk/busy').finally(() => {
      isMoved = true
    })
    for (let upload = 0; !isMoved; upload += 1) {
      const name = `busy/new${upload}`
      const [made, saved] = await Promise.all([
        app.anna.call('POST', `${API.resources}/${name}`, name),
        app.anna.call('PUT', `${API.resources}/busy/f${upload}`, `saved ${upload}`),
      ])
      if (made.status === 200) succeeded.push(name)
      if (saved.status === 200) succeeded.push(`busy/f${upload} = saved ${upload}`)
    }
    expect(await moving).toBe('200')
    const found = (name: string, content: string) =>
      [disk(name), disk(`disk/${name}`)].some(
        (path) => existsSync(path) && readFileSync(path, 'utf8') === content,
      )
    const lost = succeeded.filter((line) => {
      const [name = '', content = line] = line.split(' = ')
      return !found(name, content)
    })
    expect(lost).toEqual([])
    expect(succeeded.length).toBeGreaterThan(0)
    expect(readdirSync(disk('disk/busy')).filter((name) => /^f\d+$/.test(name))).toHaveLength(400)
  }, 60_000)

  test('a move that cannot be complete is refused, and nothing changes', async () => {
    put('large/a', 'a'.repeat(600_000))
    put('large/b', 'b'.repeat(600_000))
    symlinkSync('a', disk('large/link'))
    expect(await move('large', 'small/large')).toBe('507 noSpace')
    expect(readdirSync(disk('large')).sort()).toEqual(['a', 'b', 'link'])
    expect(readFileSync(disk('large/b'), 'utf8')).toBe('b'.repeat(600_000))
    expect(readdirSync(disk('small'))).toEqual([])
  })

  test('rules apply to the targets of links that were moved to a mount', async () => {
    put('closed/secret.txt', 'SECRET')
    put('box/plain.txt')
    symlinkSync('../closed/secret.txt', disk('box/way'))
    symlinkSync('../closed', disk('box/folder'))
    await app.runCommand('rules', 'add', '/closed', '--user', 'anna')
    const anna = await signIn(app.url, 'anna', PASSWORD)
    const to = encodeURIComponent('/disk/box')
    const answer = await anna.call('PATCH', `${API.resources}/box?action=rename&destination=${to}`)
    expect(answer.status).toBe(200)
    expect(await outcome(anna.call('GET', `${API.raw}/disk/box/plain.txt`))).toBe('200')
    for (const path of ['disk/box/way', 'disk/box/folder/secret.txt']) {
      expect((await anna.call('GET', `${API.raw}/${path}`)).status).not.toBe(200)
    }
    expect(lstatSync(disk('disk/box/way')).isSymbolicLink()).toBe(true)
    await app.runCommand('rules', 'rm', '0', '--user', 'anna')
    app.anna = await signIn(app.url, 'anna', PASSWORD)
  })

  test('of several concurrent requests that create the same name, one succeeds, and its content is stored', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bodies = ['one', 'two', 'three', 'four'].map((word) => word.repeat(50_000))
      const answers = await Promise.all(
        bodies.map((body) => app.anna.call('POST', `${API.resources}/disk/once${round}`, body)),
      )
      const won = answers.flatMap(({ status }, which) => (status === 200 ? [which] : []))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
      expect(readFileSync(disk(`disk/once${round}`), 'utf8')).toBe(bodies[won[0] ?? 0] ?? '')
    }
  })

  test('of several concurrent requests that save the same version, one succeeds', async () => {
    put('disk/edited', 'first')
    for (let round = 0; round < 5; round += 1) {
      const address = `${API.resources}/disk/edited`
      const before = await app.anna.call('GET', `${API.raw}/disk/edited`)
      const etag = before.headers.get('etag') ?? ''
      const bodies = ['one', 'two', 'three'].map((word) => `${word}${round}`.repeat(30_000))
      const answers = await Promise.all(
        bodies.map((body) => app.anna.call('PUT', address, body, { 'If-Match': etag })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
      const won = answers.findIndex(({ status }) => status === 200)
      expect(readFileSync(disk('disk/edited'), 'utf8')).toBe(bodies[won] ?? '')
    }
  })

  test('a folder that contains a mount is neither removed nor moved to another file system', async () => {
    put('deep/inner/kept')
    put('deep/beside')
    expect(await outcomeWithReason(app.anna.call('DELETE', `${API.resources}/deep/`))).toBe(
      '423 locked; reason=holdsMount',
    )
    expect(await outcomeWithReason(app.anna.call('DELETE', `${API.resources}/deep/inner/`))).toBe(
      '423 locked; reason=holdsMount',
    )
    expect(await outcomeWithReason(transfer('rename', 'deep', 'disk/deep'))).toBe(
      '423 locked; reason=holdsMount',
    )
    expect(readFileSync(disk('deep/inner/kept'), 'utf8')).toBe('deep/inner/kept')
    expect(existsSync(disk('deep/beside'))).toBe(true)
  })

  test('a mount point cannot be renamed, and the answer says why', async () => {
    const answer = await transfer('rename', 'bound', 'bound else')
    expect(answer.status).toBe(423)
    expect(await answer.text()).toContain('Another file system is mounted in this folder.')
  })

  test('a removal on a mount is complete, and leaves no file of the server', async () => {
    put('disk/gone/a/b')
    expect(await outcome(app.anna.call('DELETE', `${API.resources}/disk/gone/`))).toBe('204')
    expect(existsSync(disk('disk/gone'))).toBe(false)
    expectClean('disk')
  })

  test('folders merge into a folder of a mount, and into the mount itself', async () => {
    put('merged/a/new', 'new')
    put('disk/merged/a/old', 'old')
    put('disk/merged/a/new', 'replaced')
    expect(await move('merged', 'disk/merged', '&override=true')).toBe('200')
    expect(readFileSync(disk('disk/merged/a/new'), 'utf8')).toBe('new')
    expect(readFileSync(disk('disk/merged/a/old'), 'utf8')).toBe('old')
    expect(existsSync(disk('merged'))).toBe(false)
    put('source/inner/more', 'more')
    for (const action of ['copy', 'rename'] as const) {
      expect(await outcome(transfer(action, 'source', 'deep', '&override=true'))).toBe('200')
      expect(readFileSync(disk('deep/inner/more'), 'utf8')).toBe('more')
    }
    expect(existsSync(disk('source'))).toBe(false)
    expectClean('deep/inner')
  })

  test('an entry cannot be moved onto or into itself through a bind mount of its folder', async () => {
    const all = ['f', 'dir/x', 'dir/deep/y']
    for (const name of all) put(`first/${name}`, name)
    for (const more of ['', '&override=true']) {
      expect(await move('first/f', 'again/f', more)).toBe('409 conflict')
      expect(await move('first/dir', 'again/dir', more)).toBe('409 conflict')
      expect(await move('again/dir', 'first/dir', more)).toBe('409 conflict')
      for (const inside of ['again/dir/new', 'again/dir/deep/new', 'below/new']) {
        expect([inside, await move('first/dir', inside, more)]).toEqual([inside, '400 badRequest'])
      }
    }
    expect(await move('first/dir', 'below', '&override=true')).toBe('400 badRequest')
    put('first/dir/deep/kept')
    expect(await move('first/dir', 'beside', '&override=true')).toBe('409 conflict')
    expect(readFileSync(disk('first/dir/deep/kept'), 'utf8')).toBe('first/dir/deep/kept')
    for (const name of all) expect(readFileSync(disk(`first/${name}`), 'utf8')).toBe(name)
    expect(await move('first/f', 'again/g')).toBe('200')
    expect(readdirSync(disk('first')).sort()).toEqual(['dir', 'g'])
  })

  test('a folder of which a part is mounted elsewhere in the tree is neither removed nor moved to another file system', async () => {
    const whole = 'first/dir'
    put(`${whole}/deep/kept`)
    for (const from of [whole, 'again/dir']) {
      const gone = app.anna.call('DELETE', `${API.resources}/${from}/`)
      expect([from, await outcome(gone)]).toEqual([from, '423 locked'])
      expect(await move(from, 'disk/dir')).toBe('423 locked')
    }
    put('disk/merging/x')
    expect(await move(whole, 'disk/merging', '&override=true')).toBe('423 locked')
    expect(readFileSync(disk('below/kept'), 'utf8')).toBe(`${whole}/deep/kept`)
  })

  test('a folder moves back from a mount, and between two mounts', async () => {
    put('disk/there/a', 'a')
    expect(await move('disk/there', 'bound/there')).toBe('200')
    expect(await move('bound/there', 'back')).toBe('200')
    expect(readFileSync(disk('back/a'), 'utf8')).toBe('a')
    expectClean('bound')
  })

  // `inside` is known by the identities of folders near, too, which are there for other spellings (VFAT).
  test('the private folder cannot be reached through bind mounts of it', async () => {
    const parts = ['part/', 'part/deep/', 'small%20part/']
    for (const path of ['inside/', 'inside/uploads/', 'inside/work/', ...parts]) {
      expect(await outcome(app.anna.call('GET', `${API.resources}/${path}`))).toBe('403 forbidden')
    }
    for (const path of ['inside/x', 'part/x', 'part/deep/x', 'small%20part/x']) {
      expect(await outcome(app.anna.call('POST', `${API.resources}/${path}`, 'x'))).toBe(
        '403 forbidden',
      )
    }
    const listing = await (await app.anna.call('GET', `${API.resources}/`)).text()
    for (const name of ['/inside', '/part', '/small part']) expect(listing).not.toContain(name)
  })

  test('a resumable upload to a mount arrives complete', async () => {
    const tus = { 'Tus-Resumable': '1.0.0' }
    await app.anna.call('POST', `${API.tus}/disk/up`, '', { ...tus, 'Upload-Length': '6' })
    const patch = (offset: number, body: string) =>
      outcome(
        app.anna.call('PATCH', `${API.tus}/disk/up`, body, {
          ...tus,
          'Upload-Offset': String(offset),
          'Content-Type': 'application/offset+octet-stream',
        }),
      )
    expect(await patch(0, 'abc')).toBe('204')
    expect(existsSync(disk('disk/up'))).toBe(false)
    expect(await patch(3, 'def')).toBe('204')
    expect(readFileSync(disk('disk/up'), 'utf8')).toBe('abcdef')
  })
})
