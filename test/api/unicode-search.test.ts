/** Searches for names in two forms of Unicode, without accents, and with letters of two spellings. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const NAMES = ['Übung', 'Café', 'Straße', '테스트', 'パピプ', 'Йод', 'Smørrebrød']
/** What people type, and the name that it finds. */
const QUERIES: [query: string, name: string][] = [
  ...NAMES.flatMap((name): [string, string][] => [
    [name.normalize('NFC'), name],
    [name.normalize('NFD'), name],
  ]),
  ['uber', 'Über'],
  ['UBUNG', 'Übung'],
  ['cafe', 'Café'],
  ['strasse', 'Straße'],
  ['smorrebrod', 'Smørrebrød'],
]

for (const index of ['true', 'false']) {
  describe(index === 'true' ? 'with the index of names' : 'without an index', () => {
    let app: TestApp
    beforeAll(async () => {
      app = await openTestApp({ args: ['--index', index] })
      // A Mac stores marks apart, Windows does not.
      for (const form of ['NFC', 'NFD']) {
        const folder = join(app.root, form)
        mkdirSync(folder)
        for (const name of [...NAMES, 'Über']) {
          writeFileSync(
            join(folder, `${name.normalize(form)}.txt`),
            `a line\n${'x '.repeat(200)}${name.normalize(form)} z`,
          )
        }
      }
    })
    afterAll(() => app.stop())

    test('search, find and find-text find both forms', async () => {
      for (const [query, name] of QUERIES) {
        const expected = ['NFC', 'NFD'].map((form) => `/${form}/${name.normalize(form)}.txt`)
        const parameters = new URLSearchParams({ query })
        const lines = await (await app.admin.call('GET', `${API.search}/?${parameters}`)).text()
        const found = lines
          .split('\n')
          .filter(Boolean)
          .map((line) => `/${JSON.parse(line).path}`)
        expect([query, 'search', found.sort()]).toEqual([query, 'search', expected])
        for (const api of [API.find, API.findText]) {
          const answer = await (await app.admin.call('GET', `${api}/?${parameters}`)).json()
          const paths = answer.hits.map(({ path }: { path: string }) => path)
          expect([query, api, paths.sort()]).toEqual([query, api, expected])
          if (api === API.findText) {
            for (const { excerpt } of answer.hits) expect(excerpt).toEndWith(' z')
          }
        }
      }
    })

    test('a search with case:sensitive finds both forms, and only this case', async () => {
      const search = async (query: string) => {
        const parameters = new URLSearchParams({ query: `${query} case:sensitive` })
        const lines = await (await app.admin.call('GET', `${API.search}/?${parameters}`)).text()
        return lines.split('\n').filter(Boolean).length
      }
      expect(await search('Übung')).toBe(2)
      expect(await search('U\u0308bung')).toBe(2)
      expect(await search('übung')).toBe(0)
      expect(await search('Ubung')).toBe(0)
    })
  })
}
