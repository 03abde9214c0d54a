/** Concurrent requests: folders that are replaced by links while an operation runs, and concurrent administrators. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const ROUNDS = 40
const SECRET = 'SECRET OF THE OUTSIDE'
const TUS = { 'Tus-Resumable': '1.0.0' }
const BYTES = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }

let app: TestApp
let outside: ReturnType<typeof temporaryFolder>
let picture: Buffer
beforeAll(async () => {
  app = await openTestApp()
  outside = temporaryFolder()
  picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  mkdirSync(join(outside.path, 'deep'))
  writeFileSync(join(outside.path, 'secret.txt'), SECRET)
  writeFileSync(join(outside.path, 'deep/secret.txt'), SECRET)
  writeFileSync(join(outside.path, 'picture.png'), picture)
})
afterAll(async () => {
  await app.stop()
  outside.remove()
})

/** The paths below a folder, each with its mode, its modification time and its content. */
function inventory(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const stats = lstatSync(path)
      const content = stats.isFile() ? readFileSync(path, 'base64') : ''
      return `${name} ${stats.mode} ${stats.mtimeMs} ${content}`
    })
}

/** Replaces a folder by a link and back, as fast as possible. @returns a function that ends this */
function swapWithLink(path: string, target: string): () => Promise<void> {
  const script = `
    const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
    const [path, target] = process.argv.slice(1)
    const delay = () => { for (let n = Math.random() * 2e5; n > 0; n -= 1); }
    let stop = false
    process.on('SIGTERM', () => { stop = true })
    let made = 0
    const put = (step) => {
      try { step() } catch {
        // Another writer created a folder there.
        renameSync(path, path + '.made' + made++)
        put(step)
      }
    }
    while (!stop) {
      renameSync(path, path + '.aside'); put(() => symlinkSync(target, path)); delay()
      unlinkSync(path); put(() => renameSync(path + '.aside', path)); delay()
      await Bun.sleep(0)
    }`
  const child = Bun.spawn([process.execPath, '-e', script, path, target], { stdout: 'ignore' })
  return async () => {
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }
}

/** Accepts a reset connection of an archive, whose folder disappeared. @throws any other error */
function acceptReset(error: unknown, address: string): undefined {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  if (!isReset || !address.includes('algo=')) throw error
}

test('no operation follows a folder that is replaced by a symlink while it runs', async () => {
  const path = join(app.root, 'anna/swapped')
  mkdirSync(join(path, 'deep'), { recursive: true })
  const before = inventory(outside.path)
  const { hash } = await (await app.anna.call('POST', `${API.share}/swapped/`, {})).json()
  const at = (api: string, name = '') => `${api}/swapped/${name}`
  const moved = (name: string, action: string, to: string) =>
    `${at(API.resources, name)}?action=${action}&destination=${encodeURIComponent(to)}&override=true`

  const operations: ((round: number) => [Client, string, string, (BodyInit | object)?, object?])[] =
    [
      () => [app.anna, 'POST', at(API.resources, 'secret.txt?override=true'), 'own'],
      () => [app.anna, 'POST', at(API.resources, 'picture.png?override=true'), picture],
      () => [app.anna, 'PUT', at(API.resources, 'secret.txt'), 'own'],
      () => [app.anna, 'POST', at(API.resources, 'deep/')],
      (round) => [app.anna, 'POST', at(API.resources, `folder ${round}/`)],
      (round) => [app.anna, 'POST', at(API.tus, `u${round}`), '', { ...TUS, 'Upload-Length': '3' }],
      (round) => [app.anna, 'PATCH', at(API.tus, `u${round - 1}`), 'own', BYTES],
      () => [app.anna, 'GET', at(API.resources)],
      () => [app.anna, 'GET', at(API.resources, 'secret.txt')],
      () => [app.anna, 'GET', at(API.resources, 'secret.txt?checksum=sha256')],
      () => [app.anna, 'GET', at(API.raw, 'secret.txt')],
      () => [app.anna, 'GET', at(API.raw, '?algo=tar')],
      () => [app.anna, 'GET', at(API.preview.concat('/thumb'), 'picture.png')],
      () => [app.anna, 'GET', at(API.search, '?query=secret')],
      () => [app.anonymous, 'GET', `${API.publicShare}/${hash}/`],
      () => [app.anonymous, 'GET', `${API.publicDownload}/${hash}/secret.txt`],
      () => [app.anonymous, 'GET', `${API.publicDownload}/${hash}/?algo=tar`],
      () => [app.anna, 'PATCH', moved('secret.txt', 'copy', '/swapped/copied.txt')],
      () => [app.anna, 'PATCH', moved('deep', 'copy', '/taken')],
      () => [app.anna, 'PATCH', moved('secret.txt', 'rename', '/swapped/moved.txt')],
      () => [app.anna, 'PATCH', moved('deep', 'rename', '/stolen')],
      () => [app.anna, 'DELETE', at(API.resources, 'secret.txt')],
      () => [app.anna, 'DELETE', at(API.resources, 'deep/')],
    ]

  const broken: string[] = []
  const stop = swapWithLink(path, outside.path)
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(
      operations.map(async (operation) => {
        const [who, method, address, body, headers] = operation(round)
        const answer = await who
          .call(method, address, body, headers as Record<string, string>)
          .catch((error) => acceptReset(error, address))
        const text = (await answer?.text().catch((error) => acceptReset(error, address))) ?? ''
        if (!answer) return
        if (answer.status >= 500 || text.includes(SECRET)) {
          broken.push(`${method} ${address}: ${answer.status} ${text.slice(0, 200)}`)
        }
      }),
    )
  }
  await stop()
  expect(broken).toEqual([])
  expect(inventory(outside.path)).toEqual(before)
  for (const name of ['taken', 'stolen']) {
    expect(existsSync(join(app.root, 'anna', name, 'secret.txt'))).toBe(false)
  }
  // A server that refuses everything would pass until here. Without the swaps, each operation must succeed.
  for (const [index, operation] of operations.entries()) {
    mkdirSync(join(path, 'deep'), { recursive: true })
    writeFileSync(join(path, 'secret.txt'), 'own')
    writeFileSync(join(path, 'picture.png'), picture)
    const isUploadOfBytes = operation(0)[1] === 'PATCH' && operation(0)[2].startsWith(API.tus)
    const [who, method, address, body, headers] = operation(isUploadOfBytes ? ROUNDS + 1 : ROUNDS)
    const answer = await who.call(method, address, body, headers as Record<string, string>)
    await answer.arrayBuffer()
    expect([index, method, address, answer.status < 300]).toEqual([index, method, address, true])
  }
}, 120_000)

test('a private folder that is replaced by a link is not followed, also at the next start', async () => {
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  const database = join(folder.path, 'f.db')
  mkdirSync(root)
  const before = inventory(outside.path)
  const start = (...args: string[]) => startServer({ root, database, args })
  const begin = (who: Client) =>
    outcome(who.call('POST', `${API.tus}/up`, '', { ...TUS, 'Upload-Length': '3' }))

  const first = await start()
  const { password } = first
  const admin = await signIn(first.url, 'admin', password)
  expect(await begin(admin)).toBe('201')
  const own = join(root, '.filemgr')
  renameSync(own, join(folder.path, 'aside'))
  symlinkSync(outside.path, own)
  expect(await outcome(admin.call('POST', `${API.resources}/a`, 'own'))).toBe('200')
  expect(await outcome(admin.call('PATCH', `${API.tus}/up`, 'own', BYTES))).toBe('204')
  expect(await outcome(admin.call('DELETE', `${API.resources}/a`))).toBe('204')
  expect(readFileSync(join(root, 'up'), 'utf8')).toBe('own')
  expect(await first.stop()).toBe(0)
  await expect(start()).rejects.toThrow('.filemgr')
  unlinkSync(own)
  renameSync(join(folder.path, 'aside'), own)
  expect(inventory(outside.path)).toEqual(before)

  // Entries that are old enough to be removed at the start. Only the file `old` can be an upload.
  const uploads = join(own, 'uploads')
  symlinkSync(join(outside.path, 'secret.txt'), join(uploads, 'link'))
  symlinkSync(outside.path, join(uploads, 'folder-link'))
  symlinkSync('nowhere', join(uploads, 'dangling'))
  mkdirSync(join(uploads, 'folder'))
  writeFileSync(join(uploads, 'folder/kept'), '')
  writeFileSync(join(uploads, 'old'), '')
  for (const name of ['old', 'folder']) utimesSync(join(uploads, name), 1, 1)
  mkdirSync(join(own, 'work/abandoned'))
  symlinkSync(outside.path, join(own, 'work/abandoned/link'))
  const second = await start()
  expect(inventory(outside.path)).toEqual(before)
  expect(existsSync(join(uploads, 'old'))).toBe(false)
  expect(existsSync(join(uploads, 'folder/kept'))).toBe(true)
  expect(readdirSync(join(own, 'work'))).not.toContain('abandoned')
  await second.stop()
  folder.remove()
})

const runCommand = (...args: string[]) =>
  runFilemgr([...args, '--database', app.database], { home: join(app.root, '..') })

const admins = async (): Promise<string[]> => {
  const users: User[] = JSON.parse((await runCommand('users', 'ls', '--json')).stdout)
  return users.filter(({ perm }) => perm.admin).map(({ username }) => username)
}

test('if two administrators demote or remove each other at the same time, one remains an administrator', async () => {
  await app.runCommand('users', 'update', 'admin', '--password', PASSWORD)
  for (const method of ['PUT', 'PUT', 'DELETE']) {
    await app.runCommand('users', 'add', 'second', PASSWORD, '--perm.admin')
    const clients = await Promise.all(
      ['admin', 'second'].map((name) => signIn(app.url, name, PASSWORD)),
    )
    const users: User[] = await (await clients[0]?.call('GET', API.users))?.json()
    const idOf = (name: string) => users.find(({ username }) => username === name)?.id
    const change = { what: 'user', which: ['perm'], data: { perm: { admin: false } } }
    await Promise.all(
      clients.map((who, index) =>
        who.call(method, `${API.users}/${idOf(index === 0 ? 'second' : 'admin')}`, {
          ...change,
          current_password: PASSWORD,
        }),
      ),
    )
    expect(await admins()).toHaveLength(1)
    await runCommand('users', 'add', 'admin', PASSWORD)
    await app.runCommand('users', 'update', 'admin', '--perm.admin')
    await runCommand('users', 'rm', 'second')
  }
}, 120_000)

test('if two command lines demote the last two administrators at the same time, one is refused', async () => {
  await app.runCommand('users', 'add', 'third', PASSWORD, '--perm.admin')
  const runs = await Promise.all(
    ['admin', 'third'].map((name) => runCommand('users', 'update', name, '--perm.admin=false')),
  )
  expect(runs.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(await admins()).toHaveLength(1)
})
