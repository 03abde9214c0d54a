/** filemgr verify: compares the responses of the old server with those of this one. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jwtVerify } from 'jose'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { BCRYPT, oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { newDatabase } from '../support/server/test-database.ts'

let folder: ReturnType<typeof temporaryFolder>
let own: TestServer
let ownDatabase: string
let other: TestServer
let old: Bun.Server<undefined>
const at = (...names: string[]) => join(folder.path, ...names)

const USERS = [oldUser(1, 'admin'), oldUser(2, 'bo', { scope: '/home of bo' })]
const SHARES = [
  { hash: 'folder00', path: '/docs/', userID: 1, expire: 0 },
  {
    hash: 'locked00',
    path: '/a.txt',
    userID: 1,
    expire: 0,
    password_hash: BCRYPT,
    token: 'dG9rZW4',
  },
]

beforeEach(async () => {
  folder = temporaryFolder()
  for (const root of ['srv', 'other']) {
    for (const name of ['docs', 'docs/a#b', 'home of bo'])
      mkdirSync(at(root, name), { recursive: true })
    writeFileSync(at(root, 'a.txt'), 'a')
    writeFileSync(at(root, 'docs', 'a#b', '100%.txt'), 'deep')
    writeFileSync(at(root, 'home of bo', 'b.txt'), 'b')
  }
  writeFileSync(at('old.db'), oldDatabase({ users: USERS, shares: SHARES }))
  const imported = async (name: string) => {
    mkdirSync(at(name))
    const database = await newDatabase(at(name))
    const words = ['import', at('old.db'), '--database', database]
    const { code, stderr } = await runFilemgr(words, { home: folder.path })
    expect(code, stderr).toBe(0)
    return database
  }
  ownDatabase = await imported('own')
  own = await startServer({ root: at('srv'), database: ownDatabase })
  other = await startServer({ root: at('other'), database: await imported('behind') })
  old = oldServer(other.url)
})
afterEach(async () => {
  await old.stop(true)
  await own.stop()
  await other.stop()
  folder.remove()
})

const verify = (...words: string[]) =>
  runFilemgr(
    [
      ...['verify', at('old.db'), '--against', `http://127.0.0.1:${old.port}`, '--url', own.url],
      ...['--database', ownDatabase, ...words],
    ],
    { home: folder.path },
  )

/**
 * A server that accepts tokens signed by the key of File Browser (docs/api.md 2), in front of the server `behind`.
 *
 * @param answerOf its own answer to a request, if it has one
 */
function oldServer(
  behind: string,
  answerOf: (request: Request) => Response | undefined = () => undefined,
): Bun.Server<undefined> {
  const key = Buffer.alloc(64, 7)
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const answer = answerOf(request)
      if (answer) return answer
      const url = new URL(request.url)
      const target = behind + url.pathname + url.search
      if (url.pathname.startsWith('/api/public/')) return fetch(target)
      const { payload } = await jwtVerify(request.headers.get('X-Auth') ?? '', key, {
        algorithms: ['HS256'],
        issuer: 'File Browser',
      })
      const { username } = payload.user as { username: string }
      const credentials = { username, password: PASSWORD }
      const token = await anonymous(behind).call('POST', '/api/login', credentials)
      return fetch(target, { headers: { 'X-Auth': await token.text() } })
    },
  })
}

describe('verify', () => {
  test('verify finds no difference between equal servers, and compares folders', async () => {
    const same = await verify()
    expect(same).toMatchObject({ code: 0, stdout: 'There are no differences.\n' })
    expect(same.stderr).toContain('Compared 2 users in 5 folders, and 2 shares.')
  })

  test('verify prints the differences for users and shares, and ends with exit code 1', async () => {
    writeFileSync(at('srv', 'docs', 'a#b', '100%.txt'), 'longer')
    writeFileSync(at('srv', 'docs', 'new.txt'), '')
    rmSync(at('srv', 'home of bo', 'b.txt'))
    await runFilemgr(['rules', 'add', '/a.txt', '--database', ownDatabase], { home: folder.path })
    const found = await verify()
    expect(found.code).toBe(1)
    const lines = found.stdout.trim().split('\n')
    expect(lines).toEqual([
      'User admin, /: a.txt is missing here.',
      'User admin, /docs/: new.txt is only here.',
      'User admin, /home of bo/: b.txt is missing here.',
      'User admin, /docs/a#b/: 100%.txt has 6 bytes here, 4 there.',
      'User bo, /: b.txt is missing here.',
      'Share folder00: new.txt is only here.',
      'Share locked00: the old server responds with the status 200, this one with 403.',
    ])
    expect(found.stderr).toContain('There are 7 differences.')
  })

  test('verify opens the download links that File Browser made, with the whole path of the file', async () => {
    const isLink = ({ url }: Request) => url.includes('/api/public/dl/locked00/a.txt')
    await old.stop(true)
    old = oldServer(other.url, (request) => (isLink(request) ? new Response('longer') : undefined))
    const found = await verify()
    expect(found.stdout).toBe(
      'Share locked00, its link for downloads: it has 1 bytes here, 6 there.\n',
    )
    expect(found.code).toBe(1)
  })

  test('verify says if a user has more folders than were compared', async () => {
    const cut = await verify('--folders', '2')
    expect(cut).toMatchObject({ code: 0, stdout: 'There are no differences.\n' })
    expect(cut.stderr).toContain('Only the first 2 folders of user admin were compared')
    expect(cut.stderr).not.toContain('user bo')
  })

  test('verify names missing users and shares, and a server that does not respond, and leaves no session', async () => {
    await runFilemgr(['users', 'rm', 'bo', '--database', ownDatabase], { home: folder.path })
    await runFilemgr(['shares', 'rm', 'folder00', '--database', ownDatabase], {
      home: folder.path,
    })
    const missing = await verify()
    expect(missing.stdout).toContain('User bo is missing here.')
    expect(missing.stdout).toContain('Share folder00 is missing here.')
    expect(missing.stderr).toContain('Compared 1 users in 4 folders, and 1 shares.')
    const port = old.port
    await old.stop(true)
    const silent = await verify('--against', `http://127.0.0.1:${port}`)
    expect(silent).toMatchObject({ code: 1, stdout: '' })
    expect(silent.stderr).toContain(`No server responds at http://127.0.0.1:${port}.`)
    const here = await verify('--url', `http://127.0.0.1:${port}`)
    expect(here).toMatchObject({ code: 1, stdout: '' })
    const sessions = await runFilemgr(['sessions', 'ls', '--database', ownDatabase], {
      home: folder.path,
    })
    expect(sessions.stdout.trim().split('\n')).toHaveLength(1)
  })
})
