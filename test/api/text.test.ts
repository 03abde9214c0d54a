/** A text through the editor of any client: what is opened and saved unchanged is unchanged. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const MARK = [0xef, 0xbb, 0xbf]
const bytes = (text: string) => [...Buffer.from(text)]

test.each([
  ['a byte order mark', [...MARK, ...bytes('a;b\r\n')]],
  ['two of them', [...MARK, ...MARK, 0x61]],
  ['a mark and nothing else', MARK],
  ['a mark inside', [...bytes('a'), ...MARK, ...bytes('b')]],
  ['line breaks of every kind', bytes('a\r\nb\nc\rd\n\n')],
  ['no last line break', bytes('naïve 世界 \u{1f600}')],
  ['the sign of what did not decode', bytes('\ufffd')],
  ['separators that JavaScript breaks lines at', bytes('a\u2028b\u2029c\u0085')],
])('with %s', async (_, content) => {
  const path = join(app.root, 'anna', 'text.csv')
  writeFileSync(path, new Uint8Array(content))
  const address = `${API.resources}/text.csv`
  const opened = await (await app.anna.call('GET', address)).json()
  expect([opened.type, opened.size]).toEqual(['text', content.length])
  const saved = await app.anna.call('PUT', address, opened.content)
  expect(saved.status).toBe(200)
  expect([...readFileSync(path)]).toEqual(content)
})
