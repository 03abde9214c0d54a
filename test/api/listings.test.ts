/** Large folders: few are made into listings at a time, and what is not fetched is counted. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { BOUNDS } from '#server/access/bounds.ts'
import type { Listing } from '#wire/entry.ts'
import { API } from '#wire/routes.ts'
import type { Share } from '#wire/share.ts'
import { outcome } from '../support/client.ts'
import { type House, openHouse } from '../support/house.ts'

const FILES = 25_000

let house: House
let hash: string
let middle: string
beforeAll(async () => {
  house = await openHouse()
  const folder = join(house.root, 'anna', 'large')
  mkdirSync(folder)
  const name = 'n'.repeat(200)
  for (let number = 0; number < FILES; number += 1) writeFileSync(join(folder, name + number), '')
  mkdirSync(join(house.root, 'anna', 'middle'))
  for (let number = 0; number < 2000; number += 1) {
    writeFileSync(join(house.root, 'anna', 'middle', `${number}`), '')
  }
  const share = async (folder: string) => {
    const made = await house.anna.call('POST', `${API.share}/${folder}/`, {})
    return ((await made.json()) as Share).hash
  }
  hash = await share('large')
  middle = await share('middle')
}, 120_000)
afterAll(() => house.stop())

/** Asks, and reads the first bytes of the answer alone. */
function stalled(address: string, token = ''): Promise<{ line: Socket; status: string }> {
  const { hostname, port } = new URL(house.url)
  return new Promise((resolve, reject) => {
    const line = connect(Number(port), hostname)
    line.on('error', reject)
    line.once('data', (part) => {
      line.pause()
      resolve({ line, status: String(part).slice(9, 12) })
    })
    line.write(`GET ${address} HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth: ${token}\r\n\r\n`)
  })
}

const WAYS = [
  ['a listing', () => `${API.resources}/large/`, true],
  ['a public link', () => `${API.publicShare}/${hash}/`, false],
] as const

test.each(WAYS)(
  '%s that nobody fetches is counted, and refused when there are too many',
  async (_, address, signedIn) => {
    const token = signedIn ? house.anna.token : ''
    const held: Socket[] = []
    let status = ''
    for (let turn = 0; turn < BOUNDS.answers.own && status !== '429'; turn += 1) {
      const one = await stalled(address(), token)
      held.push(one.line)
      status = one.status
    }
    expect(status).toBe('429')
    // Small ones are on their way at once, and other people have their own.
    expect(await outcome(house.anna.call('GET', `${API.resources}/`))).toBe('200')
    expect(await outcome(house.admin.call('GET', `${API.resources}/anna/large/`))).toBe('200')
    for (const line of held) line.destroy()
    const ask = () =>
      signedIn ? house.anna.call('GET', address()) : house.nobody.call('GET', address())
    let answer = await ask()
    while (answer.status === 429) answer = await ask()
    expect(answer.status).toBe(200)
    const listing: Listing = await answer.json()
    expect(listing.items).toHaveLength(FILES)
  },
  60_000,
)

test('many at once wait for each other, and too many are told so', async () => {
  const ask = async () => {
    const answer = await house.nobody.call('GET', `${API.publicShare}/${middle}/`)
    return `${answer.status} ${answer.status === 200 ? '' : await answer.text()}`.trim()
  }
  const answers = await Promise.all(Array.from({ length: 200 }, ask))
  expect(answers).toContain('200')
  expect(answers).toContain(`429 ${BOUNDS.listings.words}`)
  expect(await ask()).toBe('200')
})
