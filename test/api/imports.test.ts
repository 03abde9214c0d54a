/** Imports from a URL: only from hosts that the operator allows, and never from the network of the server. */
import { afterEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JobRequest } from '#wire/api/jobs.ts'
import { API } from '#wire/api/routes.ts'
import { outcome } from '../support/server/client.ts'
import { ended, started } from '../support/server/jobs.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.stop()
  app = undefined
})

const importOf = (source: string): JobRequest => ({ kind: 'import', items: [], to: '/in', source })

async function open(...args: string[]): Promise<TestApp> {
  app = await openTestApp({ args })
  mkdirSync(join(app.root, 'anna', 'in'), { recursive: true })
  return app
}

test('without allowed hosts nothing is imported', async () => {
  const { anna, anonymous } = await open()
  const ask = (who: typeof anna) =>
    outcome(who.call('POST', API.jobs, importOf('https://a.test/x')))
  expect(await ask(anna)).toBe('403 forbidden')
  expect(await ask(anonymous)).toBe('401 unauthenticated')
  expect(await (await anonymous.call('GET', '/')).text()).toContain('"Imports":false')
})

test('only allowed hosts, http and https, and valid requests are accepted @spec-7.56', async () => {
  const { anna, anonymous } = await open('--import-hosts', 'files.test')
  const ask = (body: object) => outcome(anna.call('POST', API.jobs, body))
  expect(await ask(importOf('https://files.test/x'))).toBe('200')
  expect(await ask(importOf('https://other.test/x'))).toBe('403 forbidden')
  expect(await ask(importOf('file:///etc/passwd'))).toBe('400 badRequest')
  expect(await ask({ ...importOf('https://files.test/x'), items: [{ path: '/in' }] })).toBe(
    '400 badRequest',
  )
  expect(await ask({ kind: 'import', items: [], to: '/in' })).toBe('400 badRequest')
  expect(await ask({ ...importOf('https://files.test/x'), to: '/missing' })).toBe('404 notFound')
  expect(await ask({ kind: 'copy', items: [], to: '/in' })).toBe('400 badRequest')
  const copy = { kind: 'copy', items: [{ path: '/in' }], to: '/to', source: 'https://files.test/' }
  expect(await ask(copy)).toBe('400 badRequest')
  expect(await (await anonymous.call('GET', '/')).text()).toContain('"Imports":true')
})

test('a server that is not on the public internet is never requested, whatever hosts are allowed @spec-7.56', async () => {
  let asked = 0
  const inside = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      asked += 1
      return new Response('secret')
    },
  })
  try {
    const { anna } = await open('--import-hosts', `*:${inside.port}`)
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '2130706433',
    ]) {
      const job = await ended(
        anna,
        (await started(anna, importOf(`http://${host}:${inside.port}/secret`))).id,
      )
      expect([host, job.state, job.problems[0]?.fault]).toEqual([
        host,
        'failed',
        'forbidden; reason=notPublic',
      ])
    }
    expect(asked).toBe(0)
    expect(readdirSync(join(app?.root ?? '', 'anna', 'in'))).toEqual([])
  } finally {
    await inside.stop(true)
  }
})

test('without the right to create nothing is imported', async () => {
  const { person } = await open('--import-hosts', '*')
  const reader = await person('reader', '--scope', '/anna', '--perm.create=false')
  const asked = reader.call('POST', API.jobs, importOf('https://files.test/x'))
  expect(await outcome(asked)).toBe('403 forbidden')
})
