/** What walks a tree in which a disk does not answer: it says so, and never that there is nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Found, FoundTexts } from '#wire/api/find.ts'
import type { JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome } from '../support/server/client.ts'
import { planned, started, until } from '../support/server/jobs.ts'
import { received } from '../support/server/received.ts'
import { say } from '../support/server/shell.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'
import { noFuse } from '../support/system/fuse.ts'
import { SilentMount } from '../support/system/silent-mount.ts'

const refusal = noFuse('sshfs')
if (refusal) process.stdout.write(`${refusal}\n`)

const SENTENCE = 'This disk does not respond.'
const TIMEOUT_MS = 180_000

describe.skipIf(refusal !== undefined)('above a mount that does not answer', () => {
  const mount = new SilentMount('outer/nas')
  let app: TestApp
  let admin: Client
  /** May run `ls`. */
  let worker: Client

  beforeAll(async () => {
    mkdirSync(mount.remote('folder'), { recursive: true })
    writeFileSync(mount.remote('a.txt'), 'on the mount')
    writeFileSync(mount.remote('folder', 'b.txt'), 'deep on the mount')
    writeFileSync(join(mount.root, 'outer', 'here.txt'), 'here')
    mkdirSync(join(mount.root, 'links'))
    symlinkSync('../outer/nas/a.txt', join(mount.root, 'links', 'a.txt'))
    await mount.open()
    app = await openTestApp({ root: mount.root, program: mount.program, args: ['--exec'] })
    admin = app.admin
    worker = await app.person('worker', '--scope', '/', '--perm.execute', '--commands', 'ls')
    expect(await listed('/outer/nas')).toEqual(['a.txt', 'folder'])
    // The index of names knows the mount.
    while (!(await admin.call('GET', `${API.search}/?query=b`)).headers.has('X-Index-Age'))
      await Bun.sleep(50)
    mount.silence()
    // The kernel may know the attributes of the folders for a while, so that the index needs no answer of the disk. After
    // that, the first search waits, sends empty lines, and then fails; the next ones are refused at once.
    while (!(await received(await search('nothing'))).text.startsWith(SENTENCE)) await Bun.sleep(50)
  }, TIMEOUT_MS)
  afterAll(async () => {
    mount.wake()
    await app?.stop()
    mount.remove()
  }, TIMEOUT_MS)

  const search = (query: string) => admin.call('GET', `${API.search}/outer?query=${query}`)
  /** What `ls` prints in a folder. */
  const listed = async (folder: string) => (await say(worker, app.url, 'ls', folder)).lines
  const find = async (query: string) =>
    (await (await admin.call('GET', `${API.find}/outer?only=true&query=${query}`)).json()) as Found
  test(
    'a search gives what it finds elsewhere, and then fails',
    async () => {
      for (let times = 0; times < 3; times += 1) {
        const { status, text, hasFailed } = await received(await search('here'))
        const found = text.split('\n').filter((line) => line !== '')
        expect([status, found, hasFailed]).toEqual([
          200,
          [JSON.stringify({ dir: false, path: 'here.txt' })],
          true,
        ])
      }
      expect(app.server.output()).toContain(
        `/api/search/outer: 200 127.0.0.1 The response ended early: ${SENTENCE}`,
      )
    },
    TIMEOUT_MS,
  )

  test(
    'a search that finds nothing elsewhere is refused',
    async () => {
      for (let times = 0; times < 3; times += 1) {
        const answer = await search('nothing')
        expect([answer.status, await answer.text()]).toEqual([503, `${SENTENCE}\n`])
      }
    },
    TIMEOUT_MS,
  )

  test(
    'the finder says that its results are not all',
    async () => {
      for (let times = 0; times < 3; times += 1) {
        expect(await find('here')).toMatchObject({ total: 1, isPartial: true, isSilent: true })
        expect(await find('nothing')).toMatchObject({ total: 0, isPartial: true, isSilent: true })
        const texts = await admin.call('GET', `${API.findText}/outer?only=true&query=mount`)
        expect((await texts.json()) as FoundTexts).toEqual({
          hits: [],
          isPartial: true,
          isSilent: true,
        })
      }
    },
    TIMEOUT_MS,
  )

  test('an archive that is sent while it is made does not begin', async () => {
    for (const format of ['tar', 'targz', 'zip']) {
      const answer = await admin.call('GET', `${API.raw}/outer?algo=${format}`)
      expect([answer.status, await answer.text()]).toEqual([503, `${SENTENCE}\n`])
    }
  })

  test('a list of everything below is refused before it begins', async () => {
    const answer = await admin.call('GET', `${API.resources}/recursive/outer`)
    expect([answer.status, await answer.text()]).toEqual([503, `${SENTENCE}\n`])
  })

  test('a plan says that it counts only a part', async () => {
    const items = [{ path: '/outer' }]
    const requests: JobRequest[] = [
      { kind: 'copy', to: '/copy', items },
      { kind: 'delete', items },
      { kind: 'archive', to: '/outer.zip', items },
      { kind: 'sums', items },
    ]
    for (const request of requests) {
      expect(await planned(admin, request)).toMatchObject({ files: 1, isPartial: true })
    }
  })

  test('a job that reads everything waits, and leaves nothing out', async () => {
    const requests: JobRequest[] = [
      { kind: 'archive', to: '/outer.zip', items: [{ path: '/outer' }] },
      { kind: 'archive', to: '/links.zip', items: [{ path: '/links' }] },
      { kind: 'sums', items: [{ path: '/outer' }] },
    ]
    for (const request of requests) {
      const { id } = await started(admin, request)
      const job = await until(admin, id, ({ state }) => state !== 'waiting' && state !== 'running')
      expect(job).toMatchObject({
        state: 'paused',
        fault: 'unavailable; reason=diskSilent',
        reason: SENTENCE,
      })
    }
    expect(readdirSync(mount.root).sort()).toEqual(['.filemgr', 'anna', 'links', 'outer'])
    expect(readdirSync(join(mount.root, 'outer')).sort()).toEqual(['here.txt', 'nas'])
  })

  test('an archive does not leave out what a link leads to', async () => {
    const answer = await admin.call('GET', `${API.raw}/links?algo=zip`)
    expect([answer.status, await answer.text()]).toEqual([503, `${SENTENCE}\n`])
  })

  test(
    'a copy of a link to the mount stops no request, and copies nothing',
    async () => {
      const copying = admin.call('PATCH', `${API.resources}/links?action=copy&destination=/copy`)
      let hasEnded = false
      const copied = copying.then(async (answer) => {
        hasEnded = true
        return [answer.status, await answer.text()]
      })
      for (let calls = 0; calls < 20 || !hasEnded; calls += 1) {
        expect(await outcome(app.anonymous.call('GET', API.health))).toBe('200')
        await Bun.sleep(50)
      }
      expect(await copied).toEqual([
        503,
        `${SENTENCE} The change may still be made when it responds again.\n`,
      ])
      expect(existsSync(join(mount.root, 'copy'))).toBe(false)
    },
    TIMEOUT_MS,
  )

  test('a command there is refused, and stops no request', async () => {
    const refused = listed('/outer/nas').catch(({ message }) => message)
    expect(await outcome(app.anonymous.call('GET', API.health))).toBe('200')
    expect(await refused).toBe('The socket was refused.')
    expect(await outcome(app.anonymous.call('GET', API.health))).toBe('200')
  })

  test('leaves the permits of its searches free', async () => {
    const found = await admin.call('GET', `${API.search}/anna?query=x`)
    expect([found.status, await found.text()]).toEqual([200, ''])
  })

  test(
    'all is read again when it has woken up',
    async () => {
      mount.wake()
      while ((await outcome(admin.call('GET', `${API.raw}/outer/nas/a.txt`))) !== '200')
        await Bun.sleep(50)
      // The index does not answer before it has read the disk.
      for (;;) {
        const found = await search('b.txt')
        expect([found.status, await found.text()]).toEqual([
          200,
          `${JSON.stringify({ dir: false, path: 'nas/folder/b.txt' })}\n`,
        ])
        if (found.headers.has('X-Index-Age')) break
        await Bun.sleep(50)
      }
      const copied = admin.call('PATCH', `${API.resources}/links?action=copy&destination=/awake`)
      expect(await outcome(copied)).toBe('200')
      expect(await listed('/outer/nas')).toEqual(['a.txt', 'folder'])
      expect(readFileSync(join(mount.root, 'awake', 'a.txt'), 'utf8')).toBe('on the mount')
    },
    TIMEOUT_MS,
  )
})
