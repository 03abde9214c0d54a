/** Access that is removed while a request body arrives: the request changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import {
  type BrokenConnection,
  beginRequest,
  chunk,
  until,
} from '../support/server/broken-connection.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const CONTENT = 'what arrives too late'
const TUS = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** The number of staged files that contain the first part of a body. */
const staged = () =>
  readdirSync(join(app.root, '.filemgr'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter(({ parentPath, name }) => statSync(join(parentPath, name)).size === CONTENT.length)
    .length

async function endOf(connection: BrokenConnection): Promise<string> {
  connection.socket.write(chunk('!'))
  connection.socket.write('0\r\n\r\n')
  await connection.receives(/^HTTP\/1\.1 (\d+)/)
  connection.cut()
  return connection.received().split(' ')[1] ?? ''
}

const REMOVALS: Record<string, { remove(name: string): Promise<void>; status: string }> = {
  // A change of rights ends the sessions of the user.
  'the right': {
    remove: (name) =>
      app.runCommand('users', 'update', name, '--perm.create=false', '--perm.modify=false'),
    status: '401',
  },
  'the path, by a rule for all users': {
    remove: (name) => app.runCommand('rules', 'add', '--regex', `^/${name}-`),
    status: '403',
  },
  'the session': {
    remove: (name) => app.runCommand('sessions', 'end', '--user', name),
    status: '401',
  },
  'the account': { remove: (name) => app.runCommand('users', 'rm', name), status: '401' },
}

describe.each(Object.entries(REMOVALS))(
  '%s is removed while bytes arrive',
  (what, { remove, status }) => {
    test('bytes that arrive after access was removed change nothing', async () => {
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
      const connections = await Promise.all(
        Object.entries({
          [`POST ${API.resources}/${name}-new`]: {},
          [`PUT ${API.resources}/${name}-kept`]: {},
          [`PATCH ${API.tus}/${name}-uploaded`]: TUS,
        }).map(([first, more]) =>
          beginRequest(app.url, first, { ...headers, ...more }, chunk(CONTENT)),
        ),
      )
      await until(() => staged() === before + connections.length)
      await remove(name)
      const statuses = await Promise.all(connections.map(endOf))
      expect(statuses).toEqual([status, status, status])
      expect(readdirSync(disk(''))).toEqual([`${name}-kept`])
      expect(readFileSync(disk(`${name}-kept`), 'utf8')).toBe('kept')
    })
  },
)
