/** Limits of forms before sign-in: their size, their duration, and how many are read at once. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { SERVER_LIMITS } from '#server/lib/server-limits.ts'
import { CONCURRENCY_LIMITS } from '#server/limits/concurrency-limits.ts'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--stall-timeout', '5s'] })
  await app.runCommand('config', 'set', '--signup', '--createUserDir')
})
afterAll(() => app.stop())

interface Line {
  socket: Socket
  /** The whole response, after the server has closed the connection. */
  answer: Promise<string>
  /** The first part of the response. */
  first: Promise<string>
}

function open(head: string, localAddress = '127.0.0.1'): Promise<Line> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    let body = ''
    const first = new Promise<string>((done) => socket.once('data', (part) => done(String(part))))
    socket.on('data', (part) => {
      body += part
    })
    socket.on('error', () => undefined)
    const answer = new Promise<string>((done) => socket.on('close', () => done(body)))
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(`${head}\r\nHost: ${hostname}\r\n`)
      resolve({ socket, answer, first })
    })
  })
}

const FORMS = [API.login, API.signup]

describe('a form', () => {
  test.each(FORMS)(
    'a form to %s may have 8 KiB and no more, whether its length is declared or not',
    async (address) => {
      const size = SERVER_LIMITS.credentialsMaxBytes
      const form = (bytes: number) => {
        const start = '{"username":"x","password":"'
        return `${start}${'x'.repeat(bytes - start.length - 2)}"}`
      }
      const chunked = (text: string) =>
        new ReadableStream({
          start(controller) {
            for (let at = 0; at < text.length; at += 1000) {
              controller.enqueue(new TextEncoder().encode(text.slice(at, at + 1000)))
            }
            controller.close()
          },
        })
      const send = async (body: BodyInit) =>
        (await app.anonymous.call('POST', address, body)).status
      expect(await send(form(size + 1))).toBe(413)
      expect(await send(chunked(form(size + 1)))).toBe(413)
      expect(await send(form(size))).not.toBe(413)
      expect(await send(chunked(form(size)))).not.toBe(413)
    },
  )

  test.each(FORMS)(
    'a form to %s that does not arrive in time is refused, also if single bytes arrive',
    async (address) => {
      const { socket, answer } = await open(`POST ${address} HTTP/1.1`)
      socket.write('Content-Length: 500\r\n\r\n{')
      const drip = setInterval(() => socket.write(' '), 500)
      const body = await answer
      clearInterval(drip)
      expect(body).toStartWith('HTTP/1.1 408')
      expect(body).toMatch(/x-fault: aborted\r\n/i)
    },
  )

  test('the number of forms that are read at once for one address is limited; other addresses are still served @limit-2 @limit-27', async () => {
    const { perKey: own } = CONCURRENCY_LIMITS.forms
    const start = async (localAddress?: string) => {
      const line = await open(`POST ${API.login} HTTP/1.1`, localAddress)
      line.socket.write('Content-Length: 50\r\n\r\n{')
      return line
    }
    const held = await Promise.all(Array.from({ length: own }, () => start()))
    const signIn = () =>
      outcome(app.anonymous.call('POST', API.login, { username: 'anna', password: PASSWORD }))
    let refused = await signIn()
    while (refused === '200') refused = await signIn()
    expect(refused).toBe('429 tooMany')
    const elsewhere = await open(`POST ${API.login} HTTP/1.1`, '127.0.0.2')
    const body = JSON.stringify({ username: 'anna', password: PASSWORD })
    elsewhere.socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`)
    expect(await elsewhere.first).toStartWith('HTTP/1.1 200')
    elsewhere.socket.destroy()
    for (const { socket } of held) socket.destroy()
    while ((await signIn()) === '429 tooMany');
    expect(await signIn()).toBe('200')
  })
})

describe('a user name', () => {
  const longest = 'n'.repeat(SERVER_LIMITS.usernameMax)
  test('a user name of more than 128 characters is refused everywhere, and is never recorded @limit-28', async () => {
    const long = `${longest}n`
    const both = { username: long, password: PASSWORD }
    for (const address of FORMS) {
      expect(await outcome(app.anonymous.call('POST', address, both))).toBe('400 badRequest')
    }
    const made = app.admin.call('POST', API.users, {
      what: 'user',
      which: [],
      current_password: app.server.password,
      data: both,
    })
    expect(await outcome(made)).toBe('400 badRequest')
    await expect(app.runCommand('users', 'add', long, PASSWORD)).rejects.toThrow('128')
    const acts = await (await app.admin.call('GET', `${API.audit}?limit=1000`)).text()
    expect(acts).not.toContain(long)
  })

  test('a user name of 128 characters is accepted', async () => {
    expect(
      await outcome(
        app.anonymous.call('POST', API.signup, { username: longest, password: PASSWORD }),
      ),
    ).toBe('200')
    expect(
      await outcome(
        app.anonymous.call('POST', API.login, { username: longest, password: PASSWORD }),
      ),
    ).toBe('200')
  })
})
