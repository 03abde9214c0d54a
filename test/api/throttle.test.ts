import { afterAll, beforeAll, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/routes.ts'
import type { Share } from '#wire/share.ts'
import { outcome } from '../support/client.ts'
import { type House, openHouse, PASSWORD } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.stop())

const guess = (username: string, password = 'wrong', headers: Record<string, string> = {}) =>
  house.nobody.call('POST', API.login, { username, password }, headers)

test('who guesses waits, is told how long, and the right password waits with the guesses', async () => {
  const answers: Response[] = []
  for (let turn = 0; turn < 50; turn += 1) answers.push(await guess('anna'))
  const refused = answers.find(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answers.slice(0, 8).map(({ status }) => status)).toEqual(Array(8).fill(403))
  expect(await outcome(guess('anna', PASSWORD))).toBe('429 tooMany')
})

test('a header that names another address changes nothing', async () => {
  expect(await outcome(guess('anna', 'wrong', { 'X-Forwarded-For': '203.0.113.9' }))).toBe(
    '429 tooMany',
  )
})

test('sessions that are open go on, and somebody who holds one may sign in anew', async () => {
  expect(await outcome(house.anna.call('GET', `${API.resources}/`))).toBe('200')
  for (let turn = 0; turn < 30; turn += 1) await guess(`somebody else ${turn}`)
  expect(await outcome(guess('bob', PASSWORD))).toBe('429 tooMany')
  const carl = { 'X-Auth': house.admin.token }
  expect(await outcome(guess('admin', house.server.password, carl))).toBe('200')
})

test('a link’s password is guessed as slowly', async () => {
  writeFileSync(join(house.root, 'anna', 'shared.txt'), 'SHARED')
  const made = await house.anna.call('POST', `${API.share}/shared.txt`, { password: 'open sesame' })
  const { hash } = (await made.json()) as Share
  const visit = (password: string) =>
    house.nobody.call('GET', `${API.publicShare}/${hash}`, undefined, {
      'X-SHARE-PASSWORD': password,
    })
  const seen = new Set<string>()
  for (let turn = 0; turn < 50; turn += 1) seen.add(await outcome(visit('wrong')))
  expect([...seen]).toContain('429 tooMany')
  expect(await outcome(visit('open sesame'))).toBe('429 tooMany')
})
