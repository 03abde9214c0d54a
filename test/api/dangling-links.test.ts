/** A link whose target does not exist is refused with the same sentence in every way of reading it. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const SENTENCE = 'The target of this link does not exist.\n'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  symlinkSync('nowhere', join(app.root, 'anna/lost'))
})
afterAll(() => app.stop())

test.each([
  `${API.raw}/lost`,
  `${API.raw}/lost?inline=true`,
  `${API.raw}/?files=lost&algo=zip`,
  `${API.raw}/?files=lost&algo=tar`,
  `${API.resources}/lost`,
  `${API.resources}/lost?checksum=md5`,
])('GET %s says that the target does not exist', async (url) => {
  const answer = await app.anna.call('GET', url)
  expect([answer.status, await answer.text()]).toEqual([404, SENTENCE])
})

test('a share of it is refused with the same sentence, and so is a file that is not there with its own', async () => {
  const owner = await app.person('dora', '--scope', '/anna', '--perm.share')
  const answer = await owner.call('POST', `${API.share}/lost`, {})
  expect([answer.status, await answer.text()]).toEqual([404, SENTENCE])
  const missing = await app.anna.call('GET', `${API.raw}/missing`)
  expect(await missing.text()).toBe('There is no file or folder with this name.\n')
})
