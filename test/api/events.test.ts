/** The event stream of a folder. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

/** Opens the event stream of a folder. `heard` resolves with its next change, `also` with the next one of another folder. */
async function listen(who: Client, path: string) {
  const answer = await who.call('GET', `${API.events}${path}`)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (event: RegExp) => {
    for (;;) {
      const found = event.exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return found
      }
      const part = await reader?.read()
      if (!part || part.done) return undefined
      text += part.value
    }
  }
  const heard = async () => ((await next(/event: changed\n/)) ? 'changed' : 'ended')
  const also = async () => JSON.parse((await next(/event: also\ndata: (.*)\n/))?.[1] ?? '{}')
  const leftOut = async () => JSON.parse((await next(/event: leftOut\ndata: (.*)\n/))?.[1] ?? '{}')
  return { heard, also, leftOut, leave: () => reader?.cancel() }
}

test('events need a session; a missing folder, a folder outside the scope and a file are refused', async () => {
  writeFileSync(disk('file'), 'x')
  mkdirSync(join(app.root, 'elsewhere'))
  symlinkSync('../elsewhere', disk('out'))
  expect(await outcome(app.anonymous.call('GET', `${API.events}/`))).toBe('401 unauthenticated')
  expect(await outcome(app.anna.call('GET', `${API.events}/none/`))).toBe('404 notFound')
  expect(await outcome(app.anna.call('GET', `${API.events}/file`))).toBe('409 notDirectory')
  expect(await outcome(app.anna.call('GET', `${API.events}/out/`))).toBe('403 outside')
})

test('an event reports changes by other users and by other programs @spec-7.57', async () => {
  mkdirSync(disk('seen'))
  const { heard: received, leave } = await listen(app.anna, '/seen/')
  await app.admin.call('POST', `${API.resources}/anna/seen/new`, 'x')
  expect(await received()).toBe('changed')
  writeFileSync(disk('seen/other'), 'y')
  expect(await received()).toBe('changed')
  renameSync(disk('seen/other'), disk('seen/renamed'))
  expect(await received()).toBe('changed')
  rmSync(disk('seen/renamed'))
  expect(await received()).toBe('changed')
  await leave()
})

test('a watch ends with the next change after its folder was moved to a denied path', async () => {
  mkdirSync(disk('leaves'))
  const { heard } = await listen(app.anna, '/leaves/')
  renameSync(disk('leaves'), join(app.root, 'away'))
  writeFileSync(join(app.root, 'away/new'), 'x')
  expect(await heard()).toBe('ended')
})

test('a watch ends soon after a parent folder was moved, also if nothing changes in the folder', async () => {
  mkdirSync(disk('above/leaves'), { recursive: true })
  const { heard } = await listen(app.anna, '/above/leaves/')
  renameSync(disk('above'), join(app.root, 'above'))
  expect(await heard()).toBe('ended')
})

test('a watch ends when another folder has the path of its folder', async () => {
  mkdirSync(disk('replaced'))
  const { heard } = await listen(app.anna, '/replaced/')
  renameSync(disk('replaced'), join(app.root, 'replaced'))
  mkdirSync(disk('replaced'))
  writeFileSync(join(app.root, 'replaced/new'), 'x')
  expect(await heard()).toBe('ended')
})

test('one user watches a limited number of folders at once @limit-17', async () => {
  mkdirSync(disk('many'))
  const tabs = await Promise.all(
    Array.from({ length: CONCURRENCY_LIMITS.watches.perKey }, () => listen(app.anna, '/many/')),
  )
  expect(await outcome(app.anna.call('GET', `${API.events}/many/`))).toBe('429 tooMany')
  const other = await listen(app.admin, '/anna/many/')
  await other.leave()
  for (const { leave } of tabs) await leave()
  let answer = ''
  while (answer !== '200') answer = await outcome(app.anna.call('GET', `${API.events}/many/`))
  expect(answer).toBe('200')
})

test('a stream also reports new names in other folders that the client asks for @limit-18', async () => {
  for (const name of ['beside/shown', 'beside/other']) mkdirSync(disk(name), { recursive: true })
  writeFileSync(disk('beside/log'), 'x')
  // Missing paths and files are left out.
  const query = ['/beside', '/none', '/beside/log', '/'].map((path) => `also=${path}`).join('&')
  const { also, heard, leave } = await listen(app.anna, `/beside/shown/?${query}`)
  const first = [await also(), await also()]
  expect(first.map(({ path }) => path).toSorted()).toEqual(['/', '/beside'])
  const before = first.find(({ path }) => path === '/beside')
  writeFileSync(disk('beside/log'), 'the content of a file changes no name')
  mkdirSync(disk('beside/new'))
  const { path, version } = await also()
  expect(path).toBe('/beside')
  expect(version).not.toBe(before.version)
  writeFileSync(disk('beside/shown/file'), 'x')
  expect(await heard()).toBe('changed')
  await leave()

  const again = await listen(app.anna, '/beside/shown/?also=/beside')
  expect(await again.also()).toEqual({ path, version })
  await again.leave()
})

test('a server that stops ends the event streams, and does not wait for clients', async () => {
  const server = await startServer()
  const admin = await signIn(server.url, 'admin', server.password)
  const { heard: received } = await listen(admin, '/')
  const stopped = server.stop()
  expect(await received()).toBe('ended')
  expect(await stopped).toBe(0)
})

test('events end when the user signs out', async () => {
  const guest = await app.person('guest', '--scope', '/anna')
  const { heard: received } = await listen(guest, '/')
  await guest.call('POST', API.logout)
  // The response is aborted, as all running responses of the session.
  await expect(received()).rejects.toThrow('The socket connection was closed unexpectedly')
})

test.each(['zip', 'tar'])('the session that downloads a %s learns what it lacks', async (algo) => {
  mkdirSync(disk('lacking'), { recursive: true })
  writeFileSync(disk('lacking/file'), 'x')
  for (const name of ['first', 'second']) {
    rmSync(disk('lacking', name), { force: true })
    symlinkSync('nowhere', disk('lacking', name))
  }
  const own = await listen(app.anna, '/')
  const again = await signIn(app.url, 'anna', PASSWORD)
  const other = await listen(again, '/')
  const url = `${API.raw}/lacking/?algo=${algo}`
  // Neither sends an archive from its beginning.
  await app.anna.call('HEAD', url)
  await (await app.anna.call('GET', url, undefined, { Range: 'bytes=-10' })).bytes()
  if (algo === 'tar') expect((await own.leftOut()).count).toBe(2)
  await (await app.anna.call('GET', url)).bytes()
  expect(await own.leftOut()).toEqual({ from: 'download', count: 2, names: ['first', 'second'] })
  // The next event of another session of the same user is that of its own download.
  await (await again.call('GET', `${API.raw}/?files=lacking%252Ffile,lacking%252Ffirst`)).bytes()
  expect(await other.leftOut()).toEqual({ from: 'download', count: 1, names: ['first'] })
  await (
    await app.anna.call('GET', `${API.raw}/?files=lacking%252Ffile,lacking%252Fsecond`)
  ).bytes()
  expect(await own.leftOut()).toEqual({ from: 'download', count: 1, names: ['second'] })
  for (const { leave } of [own, other]) await leave()
})

test('the session that copies a folder learns what the copy lacks', async () => {
  const user = await app.person('carla', '--scope', '/anna')
  mkdirSync(disk('copied'))
  expect(Bun.spawnSync(['mkfifo', disk('copied/pipe')]).exitCode).toBe(0)
  const { leftOut, leave } = await listen(user, '/')
  const copy = `${API.resources}/copied?action=copy&destination=%2Fcopied2`
  expect(await outcome(user.call('PATCH', copy))).toBe('200')
  expect(await leftOut()).toEqual({ from: 'copy', count: 1, names: ['pipe'] })
  await leave()
})
