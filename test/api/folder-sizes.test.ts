/** The sizes of folders, from the name index. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '#wire/api/entry.ts'
import { FOLDER_SIZES_HEADER } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import type { Client } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna', 'docs', 'deep', 'deeper'), { recursive: true })
  mkdirSync(join(app.root, 'anna', 'empty'))
  writeFileSync(join(app.root, 'anna', 'docs', 'a'), '12345')
  writeFileSync(join(app.root, 'anna', 'docs', 'deep', 'deeper', 'b'), '1234567')
  symlinkSync('docs', join(app.root, 'anna', 'link'))
})
afterAll(() => app.stop())

async function listing(by: Client, path = '/'): Promise<Listing> {
  const headers = { [FOLDER_SIZES_HEADER]: 'true' }
  const answer = await by.call('GET', `${API.resources}${path}`, undefined, headers)
  return (await answer.json()) as Listing
}

/** The sizes of folders, when the index knows them. */
async function sizes(by: Client, path = '/'): Promise<Record<string, number | undefined>> {
  for (;;) {
    const { items, totalSize } = await listing(by, path)
    const folders = items.filter(({ isDir }) => isDir)
    if (totalSize === undefined) continue
    return Object.fromEntries([
      ['', totalSize],
      ...folders.map(({ name, totalSize }) => [name, totalSize]),
    ])
  }
}

test('a listing has the sizes of its folders if the client requests them @spec-7.14', async () => {
  expect(await sizes(app.anna)).toEqual({ '': 12, docs: 12, empty: 0, link: undefined })
  expect(await sizes(app.anna, '/docs/')).toEqual({ '': 12, deep: 7 })
  expect((await sizes(app.admin)).anna).toBe(12)
  const plain = await app.anna.call('GET', `${API.resources}/`)
  expect(await plain.text()).not.toContain('totalSize')
})

test('folders are sorted by their size if the listing has it', async () => {
  await sizes(app.anna)
  const names = async (asc: boolean) => {
    const { items } = await listing(app.anna, `/?by=size&asc=${asc}`)
    return items.map(({ name }) => name)
  }
  expect(await names(true)).toEqual(['empty', 'link', 'docs'])
  expect(await names(false)).toEqual(['docs', 'empty', 'link'])
})

test('changes through the API count at once, and those of other programs when they are found', async () => {
  await app.anna.call('POST', `${API.resources}/docs/deep/new`, '123')
  expect((await sizes(app.anna)).docs).toBe(15)
  await app.anna.call('PATCH', `${API.resources}/docs/deep?action=rename&destination=/empty/deep`)
  expect(await sizes(app.anna)).toEqual({ '': 15, docs: 5, empty: 10, link: undefined })
  await app.anna.call('DELETE', `${API.resources}/empty/deep`)
  expect(await sizes(app.anna)).toEqual({ '': 5, docs: 5, empty: 0, link: undefined })
  writeFileSync(join(app.root, 'anna', 'docs', 'by others'), '1234')
  appendFileSync(join(app.root, 'anna', 'docs', 'a'), '6')
  expect((await sizes(app.anna)).docs).toBe(10)
})

test('the size of a folder that may contain denied files is not shown @spec-7.14', async () => {
  await sizes(app.anna)
  const rule = { regex: false, allow: false, path: '/docs/a', regexp: null }
  await app.admin.call('PUT', API.settings, { rules: [rule] })
  expect(JSON.stringify(await listing(app.anna))).not.toContain('totalSize')
  expect(JSON.stringify(await listing(app.admin))).not.toContain('totalSize')
  await app.admin.call('PUT', API.settings, { rules: [] })
  await sizes(app.anna)
  const bert = await app.person('bert', '--scope', '/anna', '--hideDotfiles')
  expect(JSON.stringify(await listing(bert))).not.toContain('totalSize')
})
