/** What File Browser's clients write into an account is kept, also what this interface does not offer. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let id: number
beforeAll(async () => {
  app = await openTestApp()
  const users = (await (await app.admin.call('GET', API.users)).json()) as User[]
  id = users.find(({ username }) => username === 'anna')?.id ?? 0
})
afterAll(() => app.stop())

/** Anna's preference as it is after she has set it. */
async function kept(field: 'locale' | 'aceEditorTheme', value: string): Promise<string> {
  const body = { what: 'user', which: [field], data: { id, [field]: value } }
  const answer = await app.anna.call('PUT', `${API.users}/${id}`, body)
  expect(`${value}: ${answer.status}`).toBe(`${value}: 200`)
  const user = (await (await app.anna.call('GET', `${API.users}/${id}`)).json()) as User
  return user[field]
}

test('every language of File Browser is kept', async () => {
  const locales =
    'ar bg ca cs de el en es fr he hr hu is it ja ko lv nl nl-be no pl pt-br pt-pt ro ru sk sv-se tr uk vi zh-cn zh-tw'
  for (const locale of locales.split(' ')) expect(await kept('locale', locale)).toBe(locale)
})

test('the editor theme is stored in both spellings', async () => {
  for (const theme of ['ace/theme/twilight', 'dracula', '']) {
    expect(await kept('aceEditorTheme', theme)).toBe(theme)
  }
})

test('the settings keep both for people to come', async () => {
  const defaults = { locale: 'sv-se', aceEditorTheme: 'ace/theme/monokai' }
  const now = (await (await app.admin.call('GET', API.settings)).json()) as { defaults: object }
  const changes = { defaults: { ...now.defaults, ...defaults } }
  expect((await app.admin.call('PUT', API.settings, changes)).status).toBe(200)
  const after = await (await app.admin.call('GET', API.settings)).json()
  expect(after).toMatchObject({ defaults })
})
