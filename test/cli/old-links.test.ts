/** Every public URL of File Browser opens the same file after the import (docs/decisions.md 29). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/files/tree.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { BCRYPT, oldDatabase, oldUser, PASSWORD } from '../support/server/old-installation.ts'
import { startServer, type TestServer } from '../support/server/server.ts'

const TOKEN = 'dG9rZW4tb2YtdGhlLW9sZC1zZXJ2ZXI'
const LATER = 4_000_000_000
/** The paths as several years of File Browser stored them: a folder with and without its slash. */
const SHARES = [
  { hash: 'AAAAbb-_', path: '/docs/', userID: 2, expire: 0 },
  { hash: 'noslash0', path: '/docs', userID: 2, expire: LATER },
  { hash: 'file0000', path: '/docs/r&d 100%.txt', userID: 2, expire: 0 },
  { hash: 'wholehom', path: '/', userID: 2, expire: 0 },
  {
    hash: 'locked00',
    path: '/docs/',
    userID: 2,
    expire: 0,
    password_hash: BCRYPT,
    token: TOKEN,
  },
  {
    hash: 'lockfile',
    path: '/docs/r&d 100%.txt',
    userID: 2,
    expire: 0,
    password_hash: BCRYPT,
    token: TOKEN,
  },
  { hash: 'expired0', path: '/docs/', userID: 2, expire: 1 },
]

let folder: ReturnType<typeof temporaryFolder>
let server: TestServer
beforeAll(async () => {
  folder = temporaryFolder()
  const home = join(folder.path, 'srv', 'users', 'bo')
  mkdirSync(join(home, 'docs', 'sub'), { recursive: true })
  writeFileSync(join(home, 'docs', 'r&d 100%.txt'), 'of the file')
  writeFileSync(join(home, 'docs', 'sub', 'b.txt'), 'of b')
  const old = join(folder.path, 'filebrowser.db')
  const users = [oldUser(1, 'admin'), oldUser(2, 'bo', { scope: '/users/bo' })]
  writeFileSync(old, oldDatabase({ users, shares: SHARES, server: { baseURL: '/files' } }))
  const database = join(folder.path, 'f.db')
  const taken = await runFilemgr(['import', old, '--database', database], { home: folder.path })
  expect(taken.code).toBe(0)
  server = await startServer({ root: join(folder.path, 'srv'), database })
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const get = (address: string, headers: Record<string, string> = {}) =>
  fetch(server.url + address, { headers })

test('the base URL is imported', () => {
  expect(server.url).toEndWith('/files')
})

describe('a file', () => {
  test.each([
    '/api/public/dl/file0000',
    '/api/public/dl/file0000/',
    '/api/public/dl/file0000/any-name',
    '/api/public/dl/file0000/r%26d%20100%25.txt',
    '/api/public/dl/file0000?inline=true',
    '/api/public/dl/file0000/any-name.pdf?inline=true',
    // The button for download links of File Browser 2.24.0 to 2.34.1 appends the whole path of the shared file.
    '/api/public/dl/file0000/docs/r%26d%20100%25.txt',
    '/api/public/dl/file0000/docs/r%26d%20100%25.txt?inline=true',
    `/api/public/dl/lockfile/docs/r%26d%20100%25.txt?token=${TOKEN}`,
    '/api/public/dl/AAAAbb-_/r%26d%20100%25.txt',
    '/api/public/dl/noslash0/r&d%20100%25.txt?inline=true',
    '/api/public/dl/wholehom/docs/r%26d%20100%25.txt',
    `/api/public/dl/locked00/r%26d%20100%25.txt?token=${TOKEN}`,
  ])('the old address %s opens the file', async (address) => {
    const answer = await get(address)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('of the file')
    expect(answer.headers.get('Content-Disposition')).toContain('r%26d%20100%25.txt')
  })

  test('the page of a link with the whole path finds the file', async () => {
    const answer = await get('/api/public/share/file0000/docs/r%26d%20100%25.txt')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ name: 'r&d 100%.txt', path: '' })
  })

  test('the whole path opens no other file than the shared one', async () => {
    expect(await (await get('/api/public/dl/file0000/docs/sub/b.txt')).text()).toBe('of the file')
    expect((await get('/api/public/dl/lockfile/docs/r%26d%20100%25.txt')).status).toBe(401)
  })

  test('a share with a password opens with the old password, and with no other', async () => {
    const address = '/api/public/dl/locked00/sub/b.txt'
    expect((await get(address)).status).toBe(401)
    const header = { 'X-SHARE-PASSWORD': encodeURIComponent(PASSWORD) }
    expect(await (await get(address, header)).text()).toBe('of b')
    expect((await get(address, { 'X-SHARE-PASSWORD': 'other' })).status).toBe(401)
  })
})

describe('a folder', () => {
  test.each([
    ['/api/public/share/AAAAbb-_', ['sub', 'r&d 100%.txt']],
    ['/api/public/share/AAAAbb-_/', ['sub', 'r&d 100%.txt']],
    ['/api/public/share/noslash0', ['sub', 'r&d 100%.txt']],
    ['/api/public/share/noslash0/sub/', ['b.txt']],
    ['/api/public/share/wholehom/docs/sub', ['b.txt']],
    [`/api/public/share/locked00?token=${TOKEN}`, ['sub', 'r&d 100%.txt']],
  ])('the old address %s lists the folder', async (address, names) => {
    const answer = await get(address)
    expect(answer.status).toBe(200)
    const { items } = (await answer.json()) as { items: { name: string }[] }
    expect(items.map(({ name }) => name).sort()).toEqual([...names].sort())
  })

  test.each([
    '/api/public/dl/AAAAbb-_',
    '/api/public/dl/noslash0/?algo=zip',
    '/api/public/dl/AAAAbb-_/?files=sub,r%2526d%2520100%2525.txt&algo=zip',
  ])('the old address %s sends an archive of the folder', async (address) => {
    const answer = await get(address)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1')).toContain('of the file')
  })
})

test.each([
  '/share/AAAAbb-_',
  '/share/AAAAbb-_/',
  '/share/noslash0/sub/',
  '/share/file0000',
  '/share/file0000/docs/r%26d%20100%25.txt',
])('the old page %s opens', async (address) => {
  const answer = await get(address, { Accept: 'text/html' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Content-Type')).toContain('text/html')
})

test('a link that had expired in File Browser has expired here', async () => {
  expect((await get('/api/public/share/expired0')).status).toBe(404)
})
