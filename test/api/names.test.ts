/** Names that are not UTF-8, from the listing to the download: byte for byte. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Listing } from '#wire/api/entry.ts'
import { API } from '#wire/api/routes.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna/old'))
  writeFileSync(latin('old/caf\xe9.txt'), 'LATIN')
})
afterAll(() => app.stop())

/** A path below anna's folder, each character a byte. */
function latin(name: string): Buffer {
  return Buffer.concat([Buffer.from(`${app.root}/anna/`), Buffer.from(name, 'latin1')])
}
const names = (folder: string) => readdirSync(latin(folder), { encoding: 'latin1' }).sort()
/** The path of the first entry, encoded as the client of File Browser does. */
const first = async (folder: string) => {
  const answer = await app.anna.call('GET', `${API.resources}/${folder}/`)
  const { items } = (await answer.json()) as Listing
  return `${folder}/${encodeURIComponent(items[0]?.name ?? '')}`
}

test('a name that is not UTF-8 is listed, read, saved, renamed, copied, found, archived and removed', async () => {
  const path = await first('old')
  const raw = await app.anna.call('GET', `${API.raw}/${path}`)
  expect(await raw.text()).toBe('LATIN')
  expect(raw.headers.get('content-disposition')).toContain('caf%25E9.txt')
  expect(await outcome(app.anna.call('PUT', `${API.resources}/${path}`, 'SAVED'))).toBe('200')
  expect(names('old')).toEqual(['caf\xe9.txt'])

  const transfer = (action: string, from: string, to: string) =>
    outcome(
      app.anna.call(
        'PATCH',
        `${API.resources}/${from}?action=${action}&destination=${encodeURIComponent(`/${to}`)}`,
      ),
    )
  expect(await transfer('copy', 'old', 'copy')).toBe('200')
  expect(names('copy')).toEqual(['caf\xe9.txt'])
  const found = await app.anna.call('GET', `${API.search}/?query=caf`)
  expect(await found.text()).toContain('.txt')
  const archive = await app.anna.call('GET', `${API.raw}/copy/?algo=zip`)
  expect(await archive.text()).toContain('caf%E9.txt')
  expect(await transfer('rename', path, 'old/plain.txt')).toBe('200')
  expect(names('old')).toEqual(['plain.txt'])
  const copied = await first('copy')
  expect(await outcome(app.anna.call('DELETE', `${API.resources}/${copied}`))).toBe('204')
  expect(names('copy')).toEqual([])
})

test('a rule applies to a UTF-8 name that the URL encodes byte by byte', async () => {
  mkdirSync(join(app.root, 'anna/café'))
  writeFileSync(join(app.root, 'anna/café/secret.txt'), 'SECRET')
  await app.runCommand('rules', 'add', '/café', '--user', 'anna')
  const anna = await signIn(app.url, 'anna', PASSWORD)
  for (const spelling of ['caf%C3%A9', 'caf%EE%BF%83%EE%BE%A9']) {
    const answer = await anna.call('GET', `${API.raw}/${spelling}/secret.txt`)
    expect(answer.status).toBe(403)
    expect(await answer.text()).not.toContain('SECRET')
  }
})

test('every name that a listing shows can be requested as it is shown', async () => {
  const odd = ['\xff', 'a\x80b', '\xe9t\xe9', '\xee\xbe\x80', '\xed\xa0\x80', '%FF', 'caf\xc3\xa9']
  mkdirSync(latin('shown/f\xff'), { recursive: true })
  for (const name of odd) {
    writeFileSync(latin(`shown/${name}`), name)
    writeFileSync(latin(`shown/f\xff/${name}`), name)
  }
  const owner = await app.person('nora', '--scope', '/anna', '--perm.share')
  const { hash } = await (await owner.call('POST', `${API.share}/shown/`, {})).json()
  for (const folder of ['shown', `shown/${encodeURIComponent('f\uefff')}`]) {
    const listed = await owner.call('GET', `${API.resources}/${folder}/`)
    const files = ((await listed.json()) as Listing).items.filter(({ isDir }) => !isDir)
    const texts: string[] = []
    for (const { path, name } of files) {
      const encoded = path.split('/').map(encodeURIComponent).join('/')
      const raw = await (await owner.call('GET', `${API.raw}${encoded}`)).text()
      const shared = `${API.publicDownload}/${hash}${encoded.slice('/shown'.length)}`
      expect(await (await app.anonymous.call('GET', shared)).text()).toBe(raw)
      const zip = `${API.raw}/${folder}/?algo=tar&files=${encodeURIComponent(encodeURIComponent(name))}`
      expect((await owner.call('GET', zip)).status).toBe(200)
      texts.push(raw)
    }
    expect(texts.toSorted()).toEqual(odd.toSorted())
  }
})

test('a byte that is not UTF-8 in a URL is refused, and the sentence says how to write it', async () => {
  const owner = await app.person('otto', '--scope', '/anna')
  for (const path of [`${API.resources}/%FF`, `${API.raw}/shown/%FF`, `${API.tus}/%FF`]) {
    const answer = await owner.call('GET', path)
    expect([path, answer.status]).toEqual([path, 400])
    expect(await answer.text()).toContain('%EE%BF%BF for %FF')
  }
  const made = await owner.call('POST', `${API.resources}/${encodeURIComponent('new \uefff')}`, 'x')
  expect(made.status).toBe(200)
  expect(readdirSync(latin(''), { encoding: 'latin1' })).toContain('new \xff')
})
