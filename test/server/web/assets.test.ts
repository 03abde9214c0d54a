import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assetResponse, findAsset, indexHtml } from '#server/web/assets.ts'
import type { Manifest } from '#server/web/manifest.ts'

const SCRIPT = '/static/index-1a2b3c4d.js'
const LOGO = '/static/img/logo.svg'

let folder: string
let manifest: Manifest
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'filemgr-assets-'))
  const path = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  manifest = {
    digest: 'abc',
    page: path('index.html', '<p>page</p>'),
    assets: {
      [SCRIPT]: {
        type: 'text/javascript; charset=utf-8',
        hash: 'aa',
        immutable: true,
        files: {
          identity: path('plain', 'the plain script'),
          br: path('br', 'brotli'),
          gzip: path('gzip', 'gzipped'),
        },
      },
      [LOGO]: {
        type: 'image/svg+xml',
        hash: 'bb',
        immutable: false,
        files: { identity: path('logo', '<svg/>') },
      },
    },
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Response {
  const request = new Request(`http://host${path}`, { method, headers })
  return assetResponse(request, path, manifest) ?? new Response('none', { status: 404 })
}

describe('the encoding', () => {
  test.each([
    ['gzip, deflate, br', 'br', 'brotli'],
    ['gzip', 'gzip', 'gzipped'],
    ['GZIP', 'gzip', 'gzipped'],
    ['*', 'br', 'brotli'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzipped'],
    ['br;q=0, *', 'gzip', 'gzipped'],
    ['identity', null, 'the plain script'],
    ['', null, 'the plain script'],
    ['brotli', null, 'the plain script'],
  ])('a client that accepts "%s" gets the encoding %p', async (accepted, encoding, body) => {
    const answer = ask(SCRIPT, { 'Accept-Encoding': accepted })
    expect(answer.headers.get('Content-Encoding')).toBe(encoding)
    expect(answer.headers.get('Vary')).toBe('Accept-Encoding')
    expect(answer.headers.get('Content-Length')).toBe(String(body.length))
    expect(await answer.text()).toBe(body)
  })

  test('a file without an encoded form is sent as it is', async () => {
    const answer = ask(LOGO, { 'Accept-Encoding': 'br, gzip' })
    expect(answer.headers.get('Content-Encoding')).toBeNull()
    expect(await answer.text()).toBe('<svg/>')
  })
})

describe('the cache', () => {
  test('files named by their digest are cached permanently, and others are revalidated', () => {
    expect(ask(SCRIPT).headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(ask(LOGO).headers.get('Cache-Control')).toBe('no-cache')
  })

  test('each encoding of a file has its own entity tag', () => {
    const tags = ['br', 'gzip', 'identity'].map((encoding) =>
      ask(SCRIPT, { 'Accept-Encoding': encoding }).headers.get('ETag'),
    )
    expect(tags).toEqual(['"aa-br"', '"aa-gzip"', '"aa-identity"'])
  })

  test.each(['"aa-br"', 'W/"aa-br"', '"other", "aa-br"', '*'])(
    'a cached file is up to date with the tags %s',
    async (tags) => {
      const answer = ask(SCRIPT, { 'Accept-Encoding': 'br', 'If-None-Match': tags })
      expect(answer.status).toBe(304)
      expect(answer.headers.get('ETag')).toBe('"aa-br"')
      expect(await answer.text()).toBe('')
    },
  )

  test.each(['"aa-gzip"', '"aa"', 'aa-br'])(
    'a cached file is out of date with the tags %s',
    (tags) => {
      const answer = ask(SCRIPT, { 'Accept-Encoding': 'br', 'If-None-Match': tags })
      expect(answer.status).toBe(200)
    },
  )
})

test('browsers must not guess the type of interface files', () => {
  const { headers } = ask(SCRIPT)
  expect(headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
})

test('HEAD is GET without the body', async () => {
  const head = ask(SCRIPT, { 'Accept-Encoding': 'br' }, 'HEAD')
  const get = ask(SCRIPT, { 'Accept-Encoding': 'br' })
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
  expect(await head.text()).toBe('')
})

test.each([
  '/static/',
  '/static',
  '/index.html',
  '/static/img/logo.svg/',
  '/__proto__',
  'toString',
])('%s is no asset', (path) => {
  expect(findAsset(path, manifest)).toBeUndefined()
})

test('the page is the built one, or says how to build it', async () => {
  expect(await indexHtml(manifest)).toBe('<p>page</p>')
  expect(await indexHtml({ digest: 'none', assets: {} })).toContain('npm run build')
})
