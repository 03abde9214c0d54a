/** What another process writes to the database holds for the next request. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  writeFileSync(join(app.root, 'anna/file.txt'), 'text')
})
afterAll(() => app.stop())

const read = () => outcome(app.anna.call('GET', `${API.raw}/file.txt`))

test('a rule and the end of a session hold at once', async () => {
  expect(await read()).toBe('200')
  await app.runCommand('rules', 'add', '/file.txt')
  const denied = await read()
  await app.runCommand('rules', 'rm', '0')
  expect([denied, await read()]).toEqual(['403 forbidden', '200'])
  await app.runCommand('sessions', 'end', '--user', 'anna')
  expect(await read()).toBe('401 unauthenticated')
})
