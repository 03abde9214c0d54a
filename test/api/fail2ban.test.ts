/** The fail2ban filter of docs/protections.md finds the addresses of clients that guess passwords, and no others. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawRequest } from '#attacks/raw-request.ts'
import { API } from '#wire/api/routes.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous } from '../support/server/client.ts'
import { REPO_ROOT } from '../support/server/executable.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const folder = temporaryFolder()
const log = join(folder.path, 'filemgr.log')
let app: TestApp
beforeAll(async () => {
  const proxy = ['--trusted-proxies', '127.0.0.1']
  app = await openTestApp({ args: ['--log', log, ...proxy] })
})
afterAll(async () => {
  await app.stop()
  folder.remove()
})

/** The filter's patterns, with the address as fail2ban reads it, after the date that it cuts away. */
function patterns(): RegExp[] {
  const page = readFileSync(join(REPO_ROOT, 'docs/protections.md'), 'utf8')
  const [, block = ''] = /failregex = ([\s\S]*?)\ndatepattern/.exec(page) ?? []
  return block
    .split('\n')
    .map((line) => new RegExp(line.trim().replace('<ADDR>', '(?<address>[0-9a-f.:]+)')))
}

function found(): string[] {
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const read = patterns()
  return lines.flatMap((line) => {
    expect(line).toMatch(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /)
    const rest = line.slice('2026/01/01 00:00:00'.length)
    return read.flatMap((pattern) => pattern.exec(rest)?.groups?.address ?? [])
  })
}

const from = (address: string) => ({ 'X-Forwarded-For': address })

test('a client that guesses passwords or shares is found by its forwarded address; other refusals are not', async () => {
  const guess = { username: 'anna', password: 'wrong' }
  await app.anonymous.call('POST', API.login, guess, from('203.0.113.9'))
  await app.anonymous.call('POST', API.login, guess, from('2001:db8::7'))
  await app.anonymous.call('GET', `${API.publicShare}/guessed`, undefined, from('203.0.113.10'))
  await app.anonymous.call('GET', `${API.resources}/`, undefined, from('203.0.113.20'))
  await app.anna.call('GET', `${API.resources}/missing`, undefined, from('203.0.113.21'))
  expect(found()).toEqual(['203.0.113.9', '2001:db8::7', '203.0.113.10'])
})

test('no client can write another address into a log line', async () => {
  const before = found().length
  const address = ': 403 198.51.100.1 x'
  for (const path of [
    `/api/resources/api/login${encodeURIComponent(address)}`,
    '/api/resources/api/login:%20403%20198.51.100.1%20',
    '/api/login:\t403\t198.51.100.1\t',
    '/api/resources/%0a2026/11/02%2009:14:03%20/api/login:%20403%20198.51.100.1%20',
  ]) {
    await rawRequest(app.url, 'GET', path)
  }
  await anonymous(app.url).call('POST', API.login, {
    username: '\n2026/11/02 09:14:03 /api/login: 403 198.51.100.1 x',
    password: 'x',
  })
  expect(found().slice(before)).toEqual(['127.0.0.1'])
})

test('text from a client stays one log line of limited length @limit-88', async () => {
  const evil = '2026/11/02 09:14:03 /api/login: 403 198.51.100.1 x'
  for (const mark of ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u001b[2K', '\u0000']) {
    const answer = await app.anna.call('PUT', `${API.users}/2`, {
      what: 'user',
      which: [`name${mark}${evil}`],
      data: {},
    })
    expect(answer.status).toBe(400)
  }
  await rawRequest(app.url, 'GET', `${API.resources}/${'x'.repeat(12_000)}`)
  const lines = readFileSync(log, 'utf8').split(/[\n\r\u0085\u2028]/)
  expect(lines.filter((line) => line.startsWith(evil))).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(5000)
  const long = lines.filter((line) => line.includes('xxxxxxxxxx'))
  expect(long).toHaveLength(1)
  expect(long[0]?.length).toBeLessThan(700)
})
