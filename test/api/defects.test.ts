/** Defects of File Browser (docs/specification.md 11): each test shows the correct behaviour. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { rawRequest } from '#attacks/raw-request.ts'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let anna: Client
beforeAll(async () => {
  app = await openTestApp()
  anna = app.anna
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)
const text = (...names: string[]) => readFileSync(disk(...names), 'utf8')
function put(name: string, content = 'old'): void {
  mkdirSync(join(disk(name), '..'), { recursive: true })
  writeFileSync(disk(name), content)
}
const namesIn = async (path: string, who = anna) => {
  const answer = await who.call('GET', `${API.resources}${path}`)
  return ((await answer.json()) as Listing).items.map(({ name }) => name).sort()
}

test('1: writing over a folder without a slash leaves the folder @spec-11.1', async () => {
  put('row1/inside')
  const writer = await app.person('row1', '--scope', '/anna', '--perm.delete=false')
  expect(await outcome(writer.call('POST', `${API.resources}/row1?override=true`, 'x'))).toBe(
    '409 isDirectory',
  )
  expect(text('row1/inside')).toBe('old')
})

test('4: a resumable upload without a usable length leaves the file it would replace @spec-11.4', async () => {
  put('row4')
  for (const length of ['-1', 'abc', '']) {
    const headers = { 'Tus-Resumable': '1.0.0', ...(length ? { 'Upload-Length': length } : {}) }
    const tried = anna.call('POST', `${API.tus}/row4?override=true`, undefined, headers)
    expect(await outcome(tried)).toBe('400 badRequest')
    expect(text('row4')).toBe('old')
  }
})

test('6: folders whose names begin with recursive are folders like others @spec-11.6', async () => {
  put('recursive/a')
  put('recursive-notes/b')
  const listed = await anna.call('GET', `${API.resources}/recursive/`, undefined, {
    'X-Encoding': 'false',
  })
  expect(((await listed.json()) as Listing).items.map(({ name }) => name)).toEqual(['a'])
  expect(await namesIn('/recursive-notes/')).toEqual(['b'])
})

test('7: a rule that does not compile is refused, and a stored one denies @spec-11.7', async () => {
  const rules = [{ regex: true, allow: false, path: '', regexp: { raw: '(' } }]
  expect(await outcome(app.admin.call('PUT', API.settings, { rules }))).toBe('400 badRequest')
  const absent = [{ regex: true, allow: false, path: '', regexp: null }]
  expect(await outcome(app.admin.call('PUT', API.settings, { rules: absent }))).toBe(
    '400 badRequest',
  )
  const bound = await app.person('row7', '--scope', '/anna')
  expect((await bound.call('GET', `${API.resources}/`)).status).toBe(200)
  const database = new Database(app.database)
  database.query('UPDATE users SET rules = ? WHERE username = ?').run(JSON.stringify(rules), 'row7')
  database.close()
  expect(await outcome(bound.call('GET', `${API.resources}/`))).toBe('403 forbidden')
})

test('8: a search does not follow a link out of the scope @spec-11.8', async () => {
  mkdirSync(disk('row8'))
  symlinkSync('/etc', disk('row8/needle'))
  put('row8/needle.txt')
  const answer = await anna.call('GET', `${API.search}/row8/?query=needle`)
  expect((await answer.text()).trim()).toBe('{"dir":false,"path":"needle.txt"}')
})

test('9: several expired shares do not break the list of shares @spec-11.9', async () => {
  put('row9')
  for (let count = 0; count < 3; count += 1) {
    await anna.call('POST', `${API.share}/row9`, { expires: '1', unit: 'seconds' })
  }
  const kept = await (await anna.call('POST', `${API.share}/row9`, {})).json()
  const live = async () =>
    ((await (await anna.call('GET', API.shares)).json()) as { hash: string }[]).map(
      ({ hash }) => hash,
    )
  while ((await live()).length > 1) await Bun.sleep(50)
  expect(await live()).toEqual([kept.hash])
  expect((await anna.call('GET', `${API.share}/row9`)).status).toBe(200)
})

test('10: a change of all fields, or of the password lock, needs the administrator’s own password @spec-11.10', async () => {
  const users = (await (await app.admin.call('GET', API.users)).json()) as {
    id: number
    username: string
  }[]
  const id = users.find(({ username }) => username === 'anna')?.id ?? 0
  for (const which of [[], ['all'], ['lockPassword'], ['LockPassword']]) {
    const body = { what: 'user', which, data: { id, username: 'anna', lockPassword: true } }
    expect(await outcome(app.admin.call('PUT', `${API.users}/${id}`, body))).toBe('400 badRequest')
  }
})

test('15: a password that cannot be decoded is a wrong password @spec-11.15', async () => {
  put('row15')
  const { hash } = await (
    await anna.call('POST', `${API.share}/row15`, { password: 'secret words' })
  ).json()
  const tried = app.anonymous.call('GET', `${API.publicShare}/${hash}`, undefined, {
    'X-SHARE-PASSWORD': '%zz',
  })
  expect(await outcome(tried)).toBe('401 unauthenticated')
})

test('16: names with % and , are found in the archive of a share @spec-11.16', async () => {
  for (const name of ['100%.txt', 'a,b.txt', 'plain.txt']) put(`row16/${name}`, name)
  const { hash } = await (await anna.call('POST', `${API.share}/row16/`, {})).json()
  const files = ['100%.txt', 'a,b.txt'].map((name) => encodeURIComponent(name))
  for (const spelled of [
    files.map(encodeURIComponent).join(','),
    `${encodeURIComponent('100%.txt')},plain.txt`,
  ]) {
    const answer = await app.anonymous.call(
      'GET',
      `${API.publicDownload}/${hash}/?algo=tar&files=${spelled}`,
    )
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('100%.txt')
  }
})

test('20: hiding dotfiles hides what is inside them too @spec-11.20', async () => {
  put('.git/config', 'secret')
  const tidy = await app.person('tidy', '--scope', '/anna', '--hide-dotfiles')
  for (const path of ['/.git/config', '/.git/', '/.git']) {
    expect(await outcome(tidy.call('GET', `${API.resources}${path}`))).toBe('403 forbidden')
    expect(await outcome(tidy.call('GET', `${API.raw}${path}`))).toBe('403 forbidden')
  }
  expect(await outcome(anna.call('GET', `${API.raw}/.git/config`))).toBe('200')
})

test('30: a copy that cannot be completed leaves no partial copy @spec-11.30', async () => {
  put('row30/a')
  put('row30/sub/b')
  symlinkSync('/etc/passwd', disk('row30/sub/out'))
  const tried = anna.call('PATCH', `${API.resources}/row30/?action=copy&destination=%2Frow30-copy`)
  const answer = await outcome(tried)
  if (answer === '200') {
    expect(readlinkSync(disk('row30-copy/sub/out'))).toBe('/etc/passwd')
    const through = anna.call('GET', `${API.raw}/row30-copy/sub/out`)
    expect(await outcome(through)).toBe('403 outside')
    expect(text('row30-copy/sub/b')).toBe('old')
  } else {
    expect(answer).toBe('403 forbidden')
    expect(existsSync(disk('row30-copy'))).toBe(false)
  }
  expect(readdirSync(disk()).filter((name) => name.includes('filemgr'))).toEqual([])
})

test('31: a folder with an unreadable folder and a link out of it can be deleted though rules exist @spec-11.31', async () => {
  put('row31/closed/x')
  symlinkSync('/etc', disk('row31/out'))
  chmodSync(disk('row31/closed'), 0o700)
  await app.runCommand('rules', 'add', '/elsewhere', '--user', 'anna')
  anna = await signIn(app.url, 'anna', PASSWORD)
  expect((await anna.call('DELETE', `${API.resources}/row31/`)).status).toBe(204)
  expect(existsSync(disk('row31'))).toBe(false)
  expect(existsSync('/etc')).toBe(true)
})

test('32: a symlink to a path outside, or to a missing one, is deleted itself @spec-11.32', async () => {
  mkdirSync(join(app.root, 'outside'))
  writeFileSync(join(app.root, 'outside/kept'), 'kept')
  symlinkSync('../outside', disk('row32'))
  symlinkSync('/nowhere/at/all', disk('row32-dangling'))
  for (const name of ['row32', 'row32-dangling']) {
    expect((await anna.call('DELETE', `${API.resources}/${name}`)).status).toBe(204)
    expect(lstatSync(disk(name), { throwIfNoEntry: false })).toBeUndefined()
  }
  expect(readFileSync(join(app.root, 'outside/kept'), 'utf8')).toBe('kept')
})

test('34: an unclean path is served without a redirect @spec-7.4 @spec-11.34', async () => {
  put('row34/a', 'here')
  for (const target of ['//api//raw//row34//a', '/api/raw/row34/./a', '/api/raw/x/../row34/a']) {
    const answer = await rawRequest(app.url, 'GET', target, { 'X-Auth': anna.token })
    const { status, headers, text } = answer
    expect(status).toBe(200)
    expect(text).toBe('here')
    expect(headers.has('location')).toBe(false)
  }
})

test('35: a refusal contains no path of the server @spec-11.35', async () => {
  mkdirSync(disk('row35'))
  const headers = { 'Upload-Length': '1', 'Tus-Resumable': '1.0.0' }
  const answer = await anna.call('POST', `${API.tus}/row35?override=true`, undefined, headers)
  expect(answer.status).toBe(409)
  expect(await answer.text()).not.toContain(app.root)
})

test('36: a change of one option keeps the others @spec-11.36', async () => {
  await app.runCommand('config', 'set', 'branding.name', 'Ours')
  await app.runCommand('config', 'set', 'tus.retryCount', '7')
  const settings = await (await app.admin.call('GET', API.settings)).json()
  expect(settings).toMatchObject({
    branding: { name: 'Ours' },
    tus: { retryCount: 7, chunkSize: 10_485_760 },
  })
})

test('37: the right to share without the right to download is refused everywhere @spec-11.37', async () => {
  const perm = { share: true, download: false }
  const args = ['--perm.share', '--perm.download=false']
  await expect(app.runCommand('users', 'add', 'row37', PASSWORD, ...args)).rejects.toThrow(
    'requires the permission',
  )
  await expect(app.runCommand('config', 'set', ...args)).rejects.toThrow('requires the permission')
  expect(await outcome(app.admin.call('PUT', API.settings, { defaults: { perm } }))).toBe(
    '400 badRequest',
  )
})
