/** Concurrency limits: more requests are refused, and are accepted again when earlier ones have ended. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { beginRequest, until } from '../support/server/broken-connection.ts'
import { outcome } from '../support/server/client.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

describe('requests', () => {
  let number = 0
  /** Begins an upload whose content never arrives, from this local address. */
  function hanging(localAddress: string): Promise<Socket> {
    const { hostname, port } = new URL(app.url)
    return new Promise((resolve, reject) => {
      const line = connect({ port: Number(port), host: hostname, localAddress })
      line.on('error', reject)
      line.on('connect', () => {
        number += 1
        const path = `${API.resources}/never${number}`
        const auth = `X-Auth: ${app.anna.token}`
        line.write(
          `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\n${auth}\r\nContent-Length: 50\r\n\r\n{`,
        )
        resolve(line)
      })
    })
  }

  /** The response to a short request from this local address. */
  async function ask(localAddress: string): Promise<string> {
    const { hostname, port } = new URL(app.url)
    return new Promise((resolve, reject) => {
      const line = connect({ port: Number(port), host: hostname, localAddress })
      let answer = ''
      line.on('error', reject)
      line.on('data', (part) => {
        answer += part
      })
      line.on('close', () => resolve(answer))
      line.write(`GET ${API.health} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`)
    })
  }

  test('one address has a limited number of requests at once; other addresses are still served @limit-1', async () => {
    const { perKey: own } = CONCURRENCY_LIMITS.requests
    const lines = await Promise.all(Array.from({ length: own }, () => hanging('127.0.0.1')))
    const refused = async () => {
      const answer = await ask('127.0.0.1')
      return answer.startsWith('HTTP/1.1 429') ? answer : undefined
    }
    let answer = await refused()
    while (!answer) answer = await refused()
    expect(answer.toLowerCase()).toMatch(/\r\nretry-after: \d+\r\n/)
    expect(answer).toEndWith(`${CONCURRENCY_LIMITS.requests.message}\n`)
    expect(await ask('127.0.0.2')).toStartWith('HTTP/1.1 200')
    for (const line of lines) line.destroy()
    while (await refused());
    expect(await ask('127.0.0.1')).toStartWith('HTTP/1.1 200')
  })

  test('requests with streamed responses stop counting when they end', async () => {
    writeFileSync(join(app.root, 'anna', 'small.txt'), 'x')
    const { perKey: own } = CONCURRENCY_LIMITS.requests
    for (let count = 0; count < own + 10; count += 1) {
      const answer = await app.anna.call(count % 2 ? 'GET' : 'HEAD', `${API.raw}/small.txt`)
      expect(answer.status).toBe(200)
      await answer.text()
    }
  })
})

describe('one user', () => {
  test('one user searches a limited number of times at once @limit-16', async () => {
    const folder = join(app.root, 'anna', 'many')
    mkdirSync(folder)
    for (let count = 0; count < 5000; count += 1) writeFileSync(join(folder, `${count}`), '')
    const find = () => app.anna.call('GET', `${API.search}/?query=none`)
    const answers = await Promise.all(Array.from({ length: 20 }, find))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(
      CONCURRENCY_LIMITS.searches.perKey,
    )
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    await Promise.all(answers.map((answer) => answer.text()))
    expect(await outcome(find())).toBe('200')
  })

  test('one user lists trees a limited number of times at once', async () => {
    // More data than buffers hold for a client that does not read.
    const folder = join(app.root, 'anna', 'flat')
    mkdirSync(folder)
    for (let count = 0; count < 20_000; count += 1) {
      writeFileSync(join(folder, `${count}`.padStart(250, 'n')), '')
    }
    const target = `GET ${API.resources}/recursive/flat`
    const lines = await Promise.all(
      Array.from({ length: CONCURRENCY_LIMITS.searches.perKey }, async () => {
        const line = await beginRequest(app.url, target, { 'X-Auth': app.anna.token })
        await line.receives(/200 OK/)
        line.socket.pause()
        return line
      }),
    )
    const list = () => outcome(app.anna.call('GET', `${API.resources}/recursive/flat`))
    const answer = await list()
    for (const line of lines) line.cut()
    expect(answer).toBe('429 tooMany')
    await until(async () => (await list()) === '200')
  })
})

describe('a request', () => {
  test('a request with a header that is too long, or with too many headers, is refused @limit-25', async () => {
    // These refusals happen before the routes of the API are looked up.
    const call = (headers: Record<string, string>) => fetch(app.url + API.health, { headers })
    expect((await call({ 'X-Long': 'x'.repeat(15_000) })).status).toBe(200)
    expect((await call({ 'X-Long': 'x'.repeat(17_000) })).status).toBe(431)
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`X-${at}`, '1']))
    expect((await call(many)).status).toBe(431)
  })

  test('a client that asks to close the connection receives the refusal of a large body', async () => {
    for (const [target, status] of [
      [`POST ${API.resources}/taken.txt`, 401],
      [`POST ${API.login}`, 413],
    ] as const) {
      // The whole body is sent before the response is read, as by a reverse proxy.
      const body = 'x'.repeat(12 * 2 ** 20)
      const headers = { Connection: 'close', 'Content-Length': String(body.length) }
      const line = await beginRequest(app.url, target, headers, body)
      expect(line.socket.bytesWritten).toBeGreaterThan(body.length)
      await line.receives(new RegExp(`^HTTP/1\\.1 ${status}`))
      line.cut()
    }
  })

  test('a request with a form that is too large is refused before all of it is read @limit-26', async () => {
    const form = { username: 'admin', password: 'x'.repeat(2 * 2 ** 20) }
    expect(await outcome(app.anonymous.call('POST', API.login, form))).toBe('413 tooLarge')
    const settings = { shell: ['x'.repeat(2 * 2 ** 20)] }
    expect(await outcome(app.admin.call('PUT', API.settings, settings))).toBe('413 tooLarge')
    // With a declared length it is refused before any of its content arrives.
    const answer = { 'X-Auth': app.admin.token, 'Content-Length': String(2 * 2 ** 20) }
    for (const target of [`POST ${API.login}`, `PUT ${API.settings}`]) {
      const line = await beginRequest(app.url, target, answer)
      await line.receives(/^HTTP\/1\.1 413/)
      line.cut()
    }
  })
})
