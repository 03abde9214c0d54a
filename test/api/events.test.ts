/** Folders that tell when they change. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BOUNDS } from '#server/access/bounds.ts'
import { API } from '#wire/routes.ts'
import { type Client, outcome, signIn } from '../support/client.ts'
import { type House, openHouse } from '../support/house.ts'
import { startServer } from '../support/server.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.stop())

const disk = (...names: string[]) => join(house.root, 'anna', ...names)

/** Listens to a folder; `heard` resolves with the next change. */
async function listen(who: Client, path: string) {
  const answer = await who.call('GET', `${API.events}${path}`)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const heard = async () => {
    for (;;) {
      const at = text.indexOf('event: changed\n')
      if (at >= 0) {
        text = text.slice(at + 1)
        return 'changed'
      }
      const part = await reader?.read()
      if (!part || part.done) return 'ended'
      text += part.value
    }
  }
  return { heard, leave: () => reader?.cancel() }
}

test('nobody 401; a folder that is not there, closed or none is refused', async () => {
  writeFileSync(disk('file'), 'x')
  mkdirSync(join(house.root, 'elsewhere'))
  symlinkSync('../elsewhere', disk('out'))
  expect(await outcome(house.nobody.call('GET', `${API.events}/`))).toBe('401 unauthenticated')
  expect(await outcome(house.anna.call('GET', `${API.events}/none/`))).toBe('404 notFound')
  expect(await outcome(house.anna.call('GET', `${API.events}/file`))).toBe('409 notDirectory')
  expect(await outcome(house.anna.call('GET', `${API.events}/out/`))).toBe('403 outside')
})

test('what others do is told, through the API and on the disk', async () => {
  mkdirSync(disk('seen'))
  const { heard, leave } = await listen(house.anna, '/seen/')
  await house.admin.call('POST', `${API.resources}/anna/seen/new`, 'x')
  expect(await heard()).toBe('changed')
  writeFileSync(disk('seen/other'), 'y')
  expect(await heard()).toBe('changed')
  renameSync(disk('seen/other'), disk('seen/renamed'))
  expect(await heard()).toBe('changed')
  rmSync(disk('seen/renamed'))
  expect(await heard()).toBe('changed')
  await leave()
})

test('a folder that is renamed meanwhile is still the same', async () => {
  mkdirSync(disk('quiet'))
  const { heard, leave } = await listen(house.anna, '/quiet/')
  renameSync(disk('quiet'), disk('moved'))
  writeFileSync(disk('moved/b'), 'x')
  expect(await heard()).toBe('changed')
  await leave()
})

test('one person watches so many folders and no more; leaving makes room', async () => {
  mkdirSync(disk('many'))
  const tabs = await Promise.all(
    Array.from({ length: BOUNDS.watches.own }, () => listen(house.anna, '/many/')),
  )
  expect(await outcome(house.anna.call('GET', `${API.events}/many/`))).toBe('429 tooMany')
  const other = await listen(house.admin, '/anna/many/')
  await other.leave()
  for (const { leave } of tabs) await leave()
  let said = ''
  while (said !== '200') said = await outcome(house.anna.call('GET', `${API.events}/many/`))
  expect(said).toBe('200')
})

test('a server that stops ends the lines, and does not wait for them', async () => {
  const server = await startServer()
  const admin = await signIn(server.url, 'admin', server.password)
  const { heard } = await listen(admin, '/')
  const stopped = server.stop()
  expect(await heard()).toBe('ended')
  expect(await stopped).toBe(0)
})

test('who is signed out hears no more', async () => {
  const guest = await house.person('guest', '--scope', '/anna')
  const { heard } = await listen(guest, '/')
  await guest.call('POST', API.logout)
  expect(await heard()).toBe('ended')
}, 30_000)
