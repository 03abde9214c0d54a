/** Archives whose clients stop reading, and many archives at once. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CODEC_THREADS } from '#server/archives/codecs/codec-workers.ts'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { type BrokenConnection, beginRequest, until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
let shared = ''
beforeAll(async () => {
  app = await openTestApp()
  mkdirSync(join(app.root, 'anna/pub'))
  writeFileSync(join(app.root, 'anna/pub/big'), randomBytes(48 * 2 ** 20))
  const { hash } = await (await app.anna.call('POST', `${API.share}/pub/`, {})).json()
  shared = `${API.publicDownload}/${hash}/?algo=`
})
afterAll(() => app.stop())

const threads = () => readdirSync(`/proc/${app.server.pid}/task`).length
const ask = (format: string, localAddress = '127.0.0.1') =>
  beginRequest(app.url, `GET ${shared}${format}`, {}, '', { localAddress })

/** Whether a visitor and a user can download archives again. */
async function isFree(): Promise<boolean> {
  const outcomes = [
    await outcome(app.anonymous.call('GET', `${shared}tar`)),
    await outcome(app.anna.call('GET', `${API.raw}/pub/?algo=tar`)),
  ]
  return outcomes.every((one) => one === '200')
}

test('a client that disconnects ends its threads, and no client can start more than the limit', async () => {
  const idle = threads()
  const seen: number[] = []
  for (const format of ['tarxz', 'tarbz2']) {
    const connections: BrokenConnection[] = []
    for (let round = 0; round < 10; round += 1) {
      for (let at = 1; at <= 5; at += 1) connections.push(await ask(format, `127.0.0.${at}`))
      for (const connection of connections.splice(0)) connection.cut()
      seen.push(threads())
      expect(await outcome(app.anna.call('GET', `${API.resources}/`))).toBe('200')
    }
  }
  await until(isFree)
  // The runtime has threads of its own for compilation and garbage collection.
  const runtimeThreads = 12
  expect(Math.max(...seen)).toBeLessThanOrEqual(idle + CODEC_THREADS + runtimeThreads)
  await until(() => threads() <= idle + runtimeThreads)
}, 60_000)

test('a request for an archive may name a limited number of entries @limit-47', async () => {
  const names = (count: number) =>
    `${API.raw}/pub/?algo=tar&files=${Array(count).fill('big').join()}`
  expect(await outcome(app.anna.call('GET', names(SERVER_LIMITS.archiveNamesMax)))).toBe('200')
  expect(await outcome(app.anna.call('GET', names(SERVER_LIMITS.archiveNamesMax + 1)))).toBe(
    '400 badRequest',
  )
})

test('visitors have their own concurrency limits, for one address and for all @limit-14', async () => {
  const { perKey: own, all } = CONCURRENCY_LIMITS.publicArchives
  const connections: BrokenConnection[] = []
  const begin = async (localAddress: string) => {
    const connection = await ask('tarxz', localAddress)
    await connection.receives(/^HTTP\/1.1 /)
    connections.push(connection)
    return connection.received().slice(9, 12)
  }
  for (let taken = 0; taken < all; taken += 1) {
    const address = `127.0.1.${1 + Math.floor(taken / own)}`
    // Archives of the tests before may still be ending.
    await until(async () => (await begin(address)) === '200')
    if (taken === own - 1) expect(await begin(address)).toBe('429')
  }
  expect(await begin('127.0.2.1')).toBe('503')
  // The names are checked only after a permit is acquired: missing names would be 404.
  const names = `${shared}tar&files=${Array(500).fill('no').join()}`
  expect(await outcome(app.anonymous.call('GET', names))).toBe('503 unavailable')
  expect(await outcome(app.anna.call('GET', `${API.raw}/pub/?algo=tar`))).toBe('200')
  for (const { cut } of connections) cut()
  await until(isFree)
}, 60_000)
