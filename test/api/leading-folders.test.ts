/** Folders that a rule denies and that lead to a folder that a later rule allows (docs/users.md, Rules). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { type Client, outcome, signIn } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let eve: Client
beforeAll(async () => {
  app = await openTestApp()
  const write = (path: string, content = path) => {
    mkdirSync(join(app.root, path, '..'), { recursive: true })
    writeFileSync(join(app.root, path), content)
  }
  for (const path of ['top.txt', 'way/near.txt', 'way/far/open/a.txt', 'way/far/open/.dot/b.txt'])
    write(`eve/${path}`)
  for (const path of ['other/secret.txt', 'way/far/shut/c.txt', 'file', '.hidden/open/d.txt'])
    write(`eve/${path}`)
  symlinkSync('../other', join(app.root, 'eve/way/link'))
  symlinkSync('way/far/open', join(app.root, 'eve/alias'))
  symlinkSync('../../../file', join(app.root, 'eve/way/far/open/to-file'))
  symlinkSync('../../../other', join(app.root, 'eve/way/far/open/to-other'))
  await app.person('eve', '--scope', '/eve', '--perm.share', '--hideDotfiles')
  const rule = (...words: string[]) => app.runCommand('rules', 'add', ...words, '--user', 'eve')
  await rule('/')
  await rule('--allow', '/way/far/open')
  // The folder above is a file; a rule for something in it makes it no folder.
  await rule('--allow', '/file/within')
  await rule('--allow', '/alias/within')
  await rule('--allow', '/.hidden/open')
  await rule('--allow', '/other/deep/taken-back')
  await rule('/other')
  // A change of the rules ends the sessions of the user.
  eve = await signIn(app.url, 'eve', PASSWORD)
})
afterAll(() => app.stop())

const get = (path: string) => eve.call('GET', path)
const namesIn = async (path: string) =>
  ((await (await get(`${API.resources}${path}`)).json()) as Listing).items.map(({ name }) => name)

describe('a folder on the way to an allowed folder', () => {
  test('is listed with the children that lead on', async () => {
    expect(await namesIn('/')).toEqual(['way'])
    expect(await namesIn('/way')).toEqual(['far'])
    expect(await namesIn('/way/far')).toEqual(['open'])
    expect(await namesIn('/way/far/open')).toContain('a.txt')
  })

  test('says in its entry, and in that of its parent folder, that it can only be listed', async () => {
    const listingOf = async (path: string) =>
      (await (await get(`${API.resources}${path}`)).json()) as Listing
    for (const path of ['/', '/way', '/way/far']) {
      expect([path, (await listingOf(path)).listOnly]).toEqual([path, true])
    }
    const [far] = (await listingOf('/way')).items
    expect([far?.name, far?.listOnly]).toEqual(['far', true])
    const lead = await listingOf('/way/far')
    expect(lead.items.map(({ name, listOnly }) => [name, listOnly])).toEqual([['open', undefined]])
    expect((await listingOf('/way/far/open')).listOnly).toBeUndefined()
  })

  test('refuses a new name of its allowed entry, and what is new in it', async () => {
    const at = (path: string) => `${API.resources}${path}`
    const move = (to: string) =>
      outcome(eve.call('PATCH', `${at('/way/far/open')}?action=rename&destination=${to}`))
    expect(await move('%2Fway%2Ffar%2Fother')).toBe('403 forbidden')
    for (const path of ['/new.txt', '/way/new.txt', '/way/far/new/']) {
      expect([path, await outcome(eve.call('POST', at(path), ''))]).toEqual([path, '403 forbidden'])
    }
  })

  test('is denied if its path is a file, a link or a hidden folder, or denied by a later rule', async () => {
    for (const path of ['/file', '/alias', '/.hidden', '/.hidden/open', '/other', '/other/deep']) {
      expect([path, await outcome(get(`${API.resources}${path}`))]).toEqual([path, '403 forbidden'])
    }
    expect(await outcome(get(`${API.raw}/file`))).toBe('403 forbidden')
  })

  test('shows no target of a link that rules deny', async () => {
    const open = '/way/far/open'
    for (const path of [`${open}/to-file`, `${open}/to-other/secret.txt`, '/way/link/secret.txt']) {
      expect([path, await outcome(get(`${API.raw}${path}`))]).toEqual([path, '403 forbidden'])
    }
    const put = eve.call('PUT', `${API.resources}${open}/to-file`, 'changed')
    expect(await outcome(put)).toBe('403 forbidden')
    expect(await namesIn(open)).toEqual(['a.txt'])
  })

  test('is searched, archived and watched without what is denied', async () => {
    const found = await (await get(`${API.search}/?query=txt`)).text()
    expect(found).toContain('way/far/open/a.txt')
    expect(found).not.toMatch(/near|shut|secret|top/)
    const folders = await (await get(`${API.search}/?query=way`)).text()
    expect(folders).not.toMatch(/near|link/)
    const archive = await get(`${API.raw}/?algo=tar`)
    const tar = await archive.text()
    expect(archive.status).toBe(200)
    expect(tar).toContain('way/far/open/a.txt')
    expect(tar).not.toMatch(/near|shut|secret|top/)
    const events = await get(`${API.events}/way`)
    expect(events.status).toBe(200)
    await events.body?.cancel()
  })

  test('does not stop jobs between allowed folders', async () => {
    const items = [{ path: '/way/far/open/a.txt' }]
    const to = '/way/far/open/copies'
    await eve.call('POST', `${API.resources}${to}/`)
    const job = await started(eve, { kind: 'copy', items, to })
    expect((await ended(eve, job.id)).state).toBe('done')
    expect(readFileSync(join(app.root, 'eve/way/far/open/copies/a.txt'), 'utf8')).toContain('a.txt')
  })

  test('is not changed, not shared, and nothing is written to it', async () => {
    const { resources } = API
    const calls = [
      eve.call('POST', `${resources}/way/new.txt`, 'x'),
      eve.call('POST', `${resources}/way/new/`),
      eve.call('PUT', `${resources}/way/near.txt`, 'x'),
      eve.call('DELETE', `${resources}/way`),
      eve.call('DELETE', `${resources}/way/far`),
      eve.call('PATCH', `${resources}/way?action=rename&destination=/way/far/open/w`),
      eve.call('PATCH', `${resources}/way?action=copy&destination=/way/far/open/w`),
      eve.call('PATCH', `${resources}/way/far/open?action=rename&destination=/way/o`),
      eve.call('POST', `${API.share}/way`, '{}'),
      eve.call('POST', `${API.share}/`, '{}'),
    ]
    for (const call of calls) expect(await outcome(call)).toBe('403 forbidden')
    expect(await outcome(eve.call('POST', `${resources}/way/far/open/new.txt`, 'x'))).toBe('200')
  })

  test('is not shown by a link that its owner made before the rules', async () => {
    const bea = await app.person('bea', '--scope', '/eve', '--perm.share')
    const made = await bea.call('POST', `${API.share}/way`, '{}')
    const { hash } = (await made.json()) as { hash: string }
    const url = `${API.publicShare}/${hash}`
    expect((await fetch(app.url + url)).status).toBe(200)
    await app.runCommand('rules', 'add', '/', '--user', 'bea')
    await app.runCommand('rules', 'add', '--allow', '/way/far/open', '--user', 'bea')
    expect((await fetch(app.url + url)).status).toBe(403)
  })
})
