import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import type { User } from '#wire/api/user.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const settings = (change: object) => outcome(app.admin.call('PUT', API.settings, change))
const signUp = (username: string, password = PASSWORD) =>
  app.anonymous.call('POST', API.signup, { username, password })
const find = async (username: string) => {
  const users = (await (await app.admin.call('GET', API.users)).json()) as User[]
  return users.find((user) => user.username === username)
}

test('sign-up is off until an administrator switches it on', async () => {
  expect(await outcome(signUp('eve'))).toBe('405 methodNotAllowed')
  expect(await find('eve')).toBeUndefined()
})

describe('switched on', () => {
  beforeAll(async () => {
    const perm = { admin: true, execute: true }
    expect(
      await settings({ signup: true, createUserDir: true, defaults: { perm, commands: ['sh'] } }),
    ).toBe('200')
  })

  test('a visitor can sign up, gets a home folder, and has neither the right admin nor execute @spec-7.1 @spec-7.11', async () => {
    const answer = await signUp('eve')
    expect(`${answer.status} ${await answer.text()}`).toBe('200 200 OK\n')
    expect(await find('eve')).toMatchObject({
      scope: '/users/eve',
      commands: [],
      perm: { admin: false, execute: false },
    })
    const eve = await signIn(app.url, 'eve', PASSWORD)
    await eve.call('POST', `${API.resources}/mine`, 'x')
    expect(readdirSync(join(app.root, 'users', 'eve'))).toEqual(['mine'])
  })

  test('passwords at sign-up must follow the rules, and refusals have the wording of File Browser @spec-7.11', async () => {
    const short = await signUp('x', 'short')
    expect(await short.text()).toMatch(/minimum length is (\d+)/)
    expect(short.status).toBe(400)
    expect(await outcome(signUp('x', 'passwordpassword'))).toBe('400 badRequest')
    expect(await outcome(signUp('', PASSWORD))).toBe('400 badRequest')
    expect(await outcome(signUp('x', ''))).toBe('400 badRequest')
  })

  test('no two users share a home, whatever their names fold to, also at the same moment', async () => {
    expect(await outcome(signUp('team/x'))).toBe('200')
    expect(await outcome(signUp('team-x'))).toBe('409 conflict')
    expect(await outcome(signUp('TEAM-X'))).toBe('409 conflict')
    expect(await outcome(signUp('eve'))).toStartWith('409')
    const both = await Promise.all([outcome(signUp('pair/1')), outcome(signUp('pair-1'))])
    expect(both.sort()).toEqual(['200', '409 conflict'])
  })

  test('a new user does not get the files of a deleted user', async () => {
    mkdirSync(join(app.root, 'users', 'ghost'), { recursive: true })
    writeFileSync(join(app.root, 'users', 'ghost', 'diary'), 'x')
    expect(await outcome(signUp('ghost'))).toBe('409 conflict')
    expect(await find('ghost')).toBeUndefined()
  })

  test('a new user does not get what a deleted user has deleted or replaced', async () => {
    for (const [name, method] of [
      ['deleter', 'DELETE'],
      ['replacer', 'PUT'],
    ] as const) {
      await signUp(name)
      const client = await signIn(app.url, name, PASSWORD)
      const change = (httpMethod: string, body?: string) =>
        outcome(client.call(httpMethod, `${API.resources}/diary`, body))
      expect(await change('POST', 'secret')).toBe('200')
      expect(await change(method, method === 'PUT' ? 'other' : undefined)).toBe(
        method === 'PUT' ? '200' : '204',
      )
      rmSync(join(app.root, 'users', name, 'diary'), { force: true })
      await app.runCommand('users', 'rm', name)
      expect(await outcome(signUp(name))).toBe('409 conflict')
    }
  })

  test('a hostile name leads nowhere', async () => {
    for (const name of ['..', '.', '/', ' - ', '../..'])
      expect(await outcome(signUp(name))).toBe('400 badRequest')
    expect(await outcome(signUp('../../escape'))).toBe('200')
    expect(await find('../../escape')).toMatchObject({ scope: '/users/-escape' })
    expect(existsSync(join(app.root, '..', 'escape'))).toBe(false)
  })
})
