/** Streams that run on: they fail, lose their reader, or are refused before they begin. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { jsonLines } from '#server/http/routes/search.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { type BrokenConnection, beginRequest, until } from '../support/server/broken-connection.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const descriptors = () => readdirSync(`/proc/${app.server.pid}/fd`)
const begin = (target: string, token = app.anna.token) =>
  beginRequest(app.url, `GET ${target}`, { 'X-Auth': token })

describe('a search', () => {
  test('a search that fails ends its heartbeat, as one that ends or is left does', async () => {
    const begun = spyOn(globalThis, 'setInterval')
    const ended = spyOn(globalThis, 'clearInterval')
    async function* hits(fails: boolean) {
      yield ['a hit', 'another']
      if (fails) throw new Error('The disk broke.')
    }
    const read = (fails: boolean) =>
      new Response(jsonLines(hits(fails), new AbortController())).text().catch(String)
    expect(await read(false)).toBe('"a hit"\n"another"\n')
    expect(await read(true)).toContain('The disk broke.')
    await jsonLines(hits(false), new AbortController()).cancel()
    expect(begun).toHaveBeenCalledTimes(3)
    const timers = begun.mock.results.map(({ value }) => value)
    expect<unknown[]>(ended.mock.calls.map(([timer]) => timer)).toEqual(timers)
    begun.mockRestore()
    ended.mockRestore()
  })

  test('a search whose client leaves before it starts ends in the index, too', async () => {
    const stop = new AbortController()
    let ended = 0
    async function* batches() {
      try {
        yield ['a hit']
      } finally {
        ended += 1
      }
    }
    async function* hits() {
      for await (const batch of batches()) {
        if (stop.signal.aborted) return
        yield batch
      }
    }
    await jsonLines(hits(), stop).cancel()
    expect(ended).toBe(1)
  })

  test('a search skips entries that are too deep', async () => {
    const name = 'n'.repeat(200)
    const dig = `cd "$1"; for i in $(seq 30); do mkdir ${name}; cd ${name}; done`
    Bun.spawnSync(['sh', '-c', dig, 'sh', disk()])
    const answer = await app.anna.call('GET', `${API.search}/?query=nnn`)
    expect((await answer.text()).split('\n').length).toBeGreaterThan(10)
    Bun.spawnSync(['rm', '-rf', disk(name)])
  })
})

describe('rules are asked before the stream begins', () => {
  test('rules are asked before a search, a watch or the size of the disk is answered', async () => {
    mkdirSync(disk('private/deep'), { recursive: true })
    writeFileSync(disk('private/deep/secret'), 'x')
    mkdirSync(disk('open'))
    await app.person('ruled', '--scope', '/anna')
    const people: { id: number; username: string }[] = await (
      await app.admin.call('GET', API.users)
    ).json()
    const id = people.find(({ username }) => username === 'ruled')?.id
    const rules = [{ regex: false, allow: false, path: '/private', regexp: null }]
    const changed = await app.admin.call('PUT', `${API.users}/${id}`, {
      what: 'user',
      which: ['rules'],
      current_password: app.server.password,
      data: { id, rules },
    })
    expect(changed.status).toBe(200)
    const ruled = await signIn(app.url, 'ruled', PASSWORD)
    // The size is asked about twice, by the route's look at the folder and by the scope.
    for (const api of [API.search, API.events, API.usage]) {
      for (const path of ['/private/', '/private/deep/', '/private/none/']) {
        expect(await outcome(ruled.call('GET', `${api}${path}?query=secret`))).toBe('403 forbidden')
      }
      expect(await outcome(ruled.call('GET', `${api}/open/?query=secret`))).toBe('200')
    }
    const found = await (await ruled.call('GET', `${API.search}/?query=secret`)).text()
    expect(found).not.toContain('secret')
  })
})

describe('a watched folder', () => {
  /** Folders that the system watches for the server. */
  const watched = () =>
    descriptors().flatMap((fd) => {
      try {
        const isWatch = readlinkSync(`/proc/${app.server.pid}/fd/${fd}`).includes('inotify')
        const info = isWatch && readFileSync(`/proc/${app.server.pid}/fdinfo/${fd}`, 'utf8')
        return info ? info.split('\n').filter((line) => line.startsWith('inotify')) : []
      } catch {
        return []
      }
    }).length

  test('a folder is watched once, however many look at it, and not at all when they left', async () => {
    mkdirSync(disk('busy'))
    const idle = descriptors().length
    const begun: BrokenConnection[] = []
    for (let at = 0; at < CONCURRENCY_LIMITS.watches.perKey; at += 1) {
      begun.push(await begin(`${API.events}/busy/`))
      begun.push(await begin(`${API.events}/anna/busy/`, app.admin.token))
    }
    for (const line of begun) await line.receives(/: here/)
    expect(watched()).toBe(1)
    writeFileSync(disk('busy/new'), 'x')
    for (const line of begun) await line.receives(/event: changed/)
    const [last, ...others] = begun.splice(0)
    for (const { cut } of others) cut()
    await until(() => descriptors().length <= idle + 4)
    writeFileSync(disk('busy/again'), 'x')
    await last?.receives(/changed[\s\S]*changed/)
    last?.cut()
    await until(() => watched() === 0)
  })
})

describe('checksums', () => {
  const sum = (name: string) => `${API.resources}/${name}?checksum=sha512`

  test('checksums have a bounded number of slots, which come back when their clients leave @limit-15', async () => {
    writeFileSync(disk('huge'), '')
    truncateSync(disk('huge'), 2 ** 40)
    writeFileSync(disk('small'), 'x')
    const reads = () =>
      descriptors().filter((fd) => {
        try {
          return readlinkSync(`/proc/${app.server.pid}/fd/${fd}`).endsWith('/huge')
        } catch {
          return false
        }
      }).length
    const begun: BrokenConnection[] = []
    for (let at = 0; at < CONCURRENCY_LIMITS.checksums.perKey; at += 1)
      begun.push(await begin(sum('huge')))
    await until(() => reads() === CONCURRENCY_LIMITS.checksums.perKey)
    expect(await outcome(app.anna.call('GET', sum('small')))).toBe('429 tooMany')
    expect(await outcome(app.admin.call('GET', sum('anna/small')))).toBe('200')
    for (const { cut } of begun) cut()
    await until(() => reads() === 0)
    expect(await outcome(app.anna.call('GET', sum('small')))).toBe('200')
  })
})
