/** Folders without a trash: users learn of them, as far as they may see them, so that a question can say what happens. */
import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp } from '../support/server/test-app.ts'

const except = async (who: Client): Promise<string[]> =>
  (await who.call('GET', API.trashExcept)).json()

test('users learn of folders without a trash only as far as they may see them', async () => {
  const app = await openTestApp({ args: ['--trash-except', '/anna/scratch,/secret,/bo,/none'] })
  for (const name of ['anna/scratch', 'bo', 'secret']) mkdirSync(join(app.root, name))
  expect(await outcome(app.anonymous.call('GET', API.trashExcept))).toBe('401 unauthenticated')
  expect(await except(app.admin)).toEqual(['/anna/scratch', '/secret', '/bo'])
  expect(await except(app.anna)).toEqual(['/scratch'])
  expect(await except(await app.person('bo', '--scope', '/bo'))).toEqual(['/'])
  await app.person('cy')
  await app.runCommand('rules', 'add', '/secret', '--user', 'cy')
  expect(await except(await signIn(app.url, 'cy', PASSWORD))).toEqual(['/anna/scratch', '/bo'])
  await app.stop()
})

test('without a trash, all folders are named by the topmost one; with one everywhere, none', async () => {
  for (const [args, wanted] of [
    [['--trash=false', '--trash-except', '/anna'], ['/']],
    [[], []],
  ] as const) {
    const app = await openTestApp({ args: [...args] })
    expect(await except(app.admin)).toEqual([...wanted])
    expect(await except(app.anna)).toEqual([...wanted])
    await app.stop()
  }
})
