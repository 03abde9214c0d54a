/** Random requests: none of them causes an error of the server. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { ROUTES } from '#server/http/app.ts'
import { NASTY_NAMES } from '../support/files/tree.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const REQUESTS = 10_000
const AT_ONCE = 20

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

const piece = fc.oneof(
  fc.constantFrom(
    ...NASTY_NAMES,
    '.',
    '..',
    '',
    '.filemgr',
    'recursive',
    '%',
    '%zz',
    '%00',
    '..%2f',
    'a',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const segment = fc.oneof(
  piece.map((text) => encodeURIComponent(text.toWellFormed())),
  piece.map((text) => text.replace(/[^!-~]|[?#\\]/g, '')),
)
const path = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/'))
const value = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    '-1',
    '0',
    '1e9',
    'zip',
    'name',
    'copy',
    'rename',
    '%2Fx',
    '%',
    '',
  ),
  fc.string({ maxLength: 20 }),
)
const names = [
  'override',
  'rename',
  'action',
  'destination',
  'checksum',
  'files',
  'algo',
  'inline',
  'query',
  'token',
  'upload',
  'by',
  'asc',
  'all',
  'expires',
  'unit',
]
const query = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 })
const headerNames = [
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-checksum',
  'upload-defer-length',
  'content-type',
  'if-match',
  'if-none-match',
  'if-range',
  'range',
  'x-encoding',
  'x-modified',
  'x-share-password',
  'cookie',
  'accept-encoding',
]
const headerValue = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '5',
    'bytes=0-',
    'bytes=-1,3-4',
    'application/offset+octet-stream',
    '*',
    '"x"',
    'true',
    'auth=a.b.c',
    'sha1 AAAA',
  ),
  fc.string({ maxLength: 20 }).map((text) => text.replace(/[^ -~]/g, '').trim()),
)
const headers = fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 4 })
const body = fc.oneof(
  fc.constant(undefined),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.json(),
  fc
    .record(
      {
        what: fc.constantFrom('user', 'x'),
        which: fc.array(value),
        data: fc.object(),
        current_password: value,
      },
      { requiredKeys: [] },
    )
    .map((object) => JSON.stringify(object)),
)
const request = fc.record({
  route: fc.constantFrom(
    ...ROUTES.filter((route) => !/login|signup|logout|renew/.test(route.path)),
  ),
  method: fc.option(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'), {
    freq: 8,
  }),
  path,
  query,
  headers,
  body,
})

test(`${REQUESTS} random requests cause no error of the server`, async () => {
  const samples = fc.sample(request, { numRuns: REQUESTS, seed: 20_261_121 })
  const failures: string[] = []
  const statuses = new Set<number>()
  const send = async (sample: (typeof samples)[number]) => {
    const method = sample.method ?? sample.route.method
    const location = sample.route.path
      .replace('/*', `/${sample.path}`)
      .replace(/:\w+(\{.*\})?/, '1')
    const address = `${location}?${new URLSearchParams(sample.query)}`
    const carriesBody = !['GET', 'HEAD'].includes(method)
    const answer = await fetch(app.url + address, {
      method,
      redirect: 'manual',
      headers: { ...sample.headers, 'x-auth': app.anna.token },
      ...(carriesBody && sample.body !== undefined ? { body: sample.body } : {}),
    })
    // An event stream has no end.
    const endless = answer.headers.get('content-type')?.startsWith('text/event-stream')
    await (endless ? answer.body?.cancel() : answer.arrayBuffer())
    statuses.add(answer.status)
    if (answer.status >= 500 && answer.status !== 507)
      failures.push(
        `${answer.status} ${method} ${address} ${JSON.stringify(sample.headers)} ${sample.body}`,
      )
  }
  for (let from = 0; from < samples.length; from += AT_ONCE) {
    await Promise.all(samples.slice(from, from + AT_ONCE).map(send))
  }
  expect(failures).toEqual([])
  // The requests must reach more than the first checks.
  for (const status of [200, 204, 400, 403, 404, 409]) expect(statuses).toContain(status)
  expect(app.server.output()).not.toContain('    at ')
  process.stdout.write(
    `${REQUESTS} requests of every kind, ${failures.length} of them answered with a 5xx\n`,
  )
}, 120_000)
