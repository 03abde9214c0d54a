/** Trees with more levels than a path may have: searches say that they left something out, archives do not begin. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Found, FoundTexts } from '#wire/api/find.ts'
import { API } from '#wire/api/routes.ts'
import { DEPTH_MAX } from '#wire/paths.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

for (const index of ['true', 'false']) {
  describe(index === 'true' ? 'with the index of names' : 'without an index', () => {
    let app: TestApp
    beforeAll(async () => {
      app = await openTestApp({ args: ['--index', index] })
      const deep = join(app.root, 'anna/deep', 'd/'.repeat(DEPTH_MAX + 10))
      mkdirSync(deep, { recursive: true })
      writeFileSync(join(deep, 'needle.txt'), 'needle in a stack')
      mkdirSync(join(app.root, 'anna/flat'))
      writeFileSync(join(app.root, 'anna/flat/needle.txt'), 'needle')
    })
    afterAll(() => app.stop())

    test('a search says that it left something out', async () => {
      for (const [folder, isPartial] of [
        ['/deep/', true],
        ['/flat/', false],
      ] as const) {
        const query = `${folder}?query=needle&only=true`
        const found: Found = await (await app.anna.call('GET', API.find + query)).json()
        expect([folder, found.isPartial]).toEqual([folder, isPartial])
        const texts: FoundTexts = await (await app.anna.call('GET', API.findText + query)).json()
        expect([folder, texts.isPartial]).toEqual([folder, isPartial])
      }
    })

    test('an archive is refused before it begins', async () => {
      for (const algo of ['zip', 'tar', 'targz']) {
        const answer = await outcome(app.anna.call('GET', `${API.raw}/deep/?algo=${algo}`))
        expect([algo, answer]).toEqual([algo, '400 badRequest'])
        expect(await outcome(app.anna.call('GET', `${API.raw}/flat/?algo=${algo}`))).toBe('200')
      }
    })
  })
}
