/** Rights that are taken away while a body is on its way: what ends after that changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import { type BrokenConnection, beginRequest, chunk, until } from '../support/broken-connection.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const CONTENT = 'what arrives too late'
const TUS = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** How many files below the private folder hold what has come of a body so far. */
const staged = () =>
  readdirSync(join(app.root, '.filemgr'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => statSync(join(parentPath, name)).size === CONTENT.length)
    .length

async function endOf(line: BrokenConnection): Promise<string> {
  line.socket.write(chunk('!'))
  line.socket.write('0\r\n\r\n')
  await line.receives(/^HTTP\/1\.1 (\d+)/)
  line.cut()
  return line.received().split(' ')[1] ?? ''
}

const WAYS: Record<string, { take(name: string): Promise<void>; status: string }> = {
  // A change of rights ends the person's sessions.
  'the right': {
    take: (name) => app.verb('users', 'update', name, '--perm.create=false', '--perm.modify=false'),
    status: '401',
  },
  'the place, by a rule for all': {
    take: (name) => app.verb('rules', 'add', '--regex', `^/${name}-`),
    status: '403',
  },
  'the session': {
    take: (name) => app.verb('sessions', 'end', '--user', name),
    status: '401',
  },
  'the account': { take: (name) => app.verb('users', 'rm', name), status: '401' },
}

describe.each(Object.entries(WAYS))('%s is taken while bytes arrive', (what, { take, status }) => {
  test('bytes that arrive after access was taken away change nothing', async () => {
    const name = what.replaceAll(/\W/g, '')
    const disk = (file: string) => join(app.root, name, file)
    mkdirSync(disk(''))
    writeFileSync(disk(`${name}-kept`), 'kept')
    const person = await app.person(name, '--scope', `/${name}`)
    await person.call('POST', `${API.tus}/${name}-uploaded`, undefined, {
      'Upload-Length': String(CONTENT.length + 1),
    })
    const before = staged()
    const headers = { 'X-Auth': person.token, 'Transfer-Encoding': 'chunked' }
    const lines = await Promise.all(
      Object.entries({
        [`POST ${API.resources}/${name}-new`]: {},
        [`PUT ${API.resources}/${name}-kept`]: {},
        [`PATCH ${API.tus}/${name}-uploaded`]: TUS,
      }).map(([first, more]) =>
        beginRequest(app.url, first, { ...headers, ...more }, chunk(CONTENT)),
      ),
    )
    await until(() => staged() === before + lines.length)
    await take(name)
    const statuses = await Promise.all(lines.map(endOf))
    expect(statuses).toEqual([status, status, status])
    expect(readdirSync(disk(''))).toEqual([`${name}-kept`])
    expect(readFileSync(disk(`${name}-kept`), 'utf8')).toBe('kept')
  })
})
