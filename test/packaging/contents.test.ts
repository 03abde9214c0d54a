/** The embedded parts of the executable (image library, codecs, interface) work where nothing else is installed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import budgets from '../bench/budgets.json' with { type: 'json' }
import { signIn } from '../support/server/client.ts'
import { REPO_ROOT, runFilemgr } from '../support/server/executable.ts'
import { startServer, type TestServer } from '../support/server/server.ts'
import { type Installed, install } from './installed.ts'

let installed: Installed
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

const run = (home: string, args: string[], env: Record<string, string> = {}) =>
  runFilemgr(args, { home, env, program: [installed.executable] })

test('the command version prints the version, the commit, the runtime and the digest of the interface', async () => {
  const { version } = JSON.parse(readFileSync(join(REPO_ROOT, 'package.json'), 'utf8'))
  const { code, stdout } = await run(installed.makeFolder('version'), ['version', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    version,
    commit: expect.stringMatching(/^([\da-f]{12}(-modified)?|unknown)$/),
    bun: Bun.version,
    ui: expect.stringMatching(/^[\da-f]{64}$/),
  })
})

describe('sharp', () => {
  const selfCheck = async (home: string, env?: Record<string, string>) => {
    const { code, stdout, stderr } = await run(home, ['self-check'], env)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('sharp loads from a folder that only its owner can enter', async () => {
    const home = installed.makeFolder('sharp')
    const { version } = JSON.parse(
      readFileSync(join(REPO_ROOT, 'node_modules/sharp/package.json'), 'utf8'),
    )
    const { sharp, archives } = await selfCheck(home)
    expect(archives).toContain('tarxz')
    expect(sharp).toStartWith(`sharp ${version}, libvips `)
    expect(statSync(join(home, '.cache/filemgr')).mode & 0o777).toBe(0o700)
  })

  test('sharp is unpacked once, and again if an unpacked file was changed', async () => {
    const home = installed.makeFolder('damaged')
    const cache = join(home, '.cache/filemgr')
    await selfCheck(home)
    const unpacked = readdirSync(cache)
    // The image library, and the codecs that the runtime does not have: xz, lz4 and snappy.
    expect(unpacked).toHaveLength(4)
    const addon = filesBelow(cache).find((path) => path.endsWith('.node')) ?? ''
    const whole = readFileSync(addon)
    const { ino } = statSync(addon)

    await selfCheck(home)
    expect(statSync(addon).ino).toBe(ino)

    chmodSync(addon, 0o700)
    writeFileSync(addon, 'not an addon')
    await selfCheck(home)
    expect(readFileSync(addon).equals(whole)).toBe(true)
    expect(readdirSync(cache)).toEqual(unpacked)
  })

  test('sharp does not load from a folder that others can write', async () => {
    const home = installed.makeFolder('open')
    const cache = installed.makeFolder('open/cache/filemgr')
    chmodSync(cache, 0o777)
    await selfCheck(home, { XDG_CACHE_HOME: join(home, 'cache') })
    expect(readdirSync(cache)).toEqual([])
  })
})

describe('without the image library', () => {
  test('if the image library cannot be unpacked, the runtime makes thumbnails of the formats that it can decode', async () => {
    const root = installed.makeFolder('pictures')
    const red = sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
    await red.clone().png().toFile(join(root, 'a.png'))
    await red.clone().tiff().toFile(join(root, 'a.tiff'))
    const cache = installed.makeFolder('pictures-cache')
    const server = await startServer({
      root,
      program: [installed.executable],
      // In /proc, even root cannot create a folder.
      env: { HOME: '/proc/nowhere', TMPDIR: '/proc/nowhere' },
      args: ['--cache-dir', cache],
    })
    try {
      const admin = await signIn(server.url, 'admin', server.password)
      const thumbnail = await admin.call('GET', '/api/preview/thumb/a.png')
      expect(thumbnail.status).toBe(200)
      expect((await sharp(await thumbnail.bytes()).metadata()).width).toBe(256)
      expect((await admin.call('GET', '/api/preview/thumb/a.tiff')).status).toBe(422)
    } finally {
      await server.stop()
    }
  })
})

describe('the interface', () => {
  let server: TestServer
  let page: string
  beforeAll(async () => {
    server = await startServer({ program: [installed.executable] })
    page = await (await fetch(`${server.url}/login`)).text()
  })
  afterAll(() => server.stop())

  const script = () => /<script[^>]* src="\.?([^"]+\.js)"/.exec(page)?.[1] ?? ''
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers, decompress: false })

  test.each(['br', 'gzip'])(
    'the script of the interface is sent with the encoding %s',
    async (encoding) => {
      const plain = await get(script(), { 'Accept-Encoding': 'identity' })
      const compressed = await get(script(), { 'Accept-Encoding': encoding })
      expect(compressed.status).toBe(200)
      expect(compressed.headers.get('content-encoding')).toBe(encoding)
      expect(compressed.headers.get('vary')).toContain('Accept-Encoding')
      expect((await compressed.bytes()).length).toBeLessThan((await plain.bytes()).length)
    },
  )

  test.each([
    ['.js', budgets.interface.scriptsToFirstListingKiB],
    ['.css', budgets.interface.stylesToFirstListingKiB],
  ])(
    'the %s files that the page loads at once have less than %d KiB together',
    async (kind, budget) => {
      // The page names all files that are loaded at once: vite adds those that the script imports.
      const named = [...page.matchAll(/ (?:src|href)="\.?([^"]+)"/g)].map(([, path = '']) => path)
      const files = named.filter((path) => path.endsWith(kind))
      const compressed = await Promise.all(
        files.map(async (path) => (await get(path, { 'Accept-Encoding': 'br' })).bytes()),
      )
      const kib = compressed.reduce((sum, bytes) => sum + bytes.length, 0) / 1024
      expect(kib).toBeGreaterThan(1)
      expect(kib).toBeLessThan(budget)
    },
  )

  test('browsers may cache a file of the interface for ever, because its name changes with its content', async () => {
    const answer = await get(script())
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const again = await get(script(), { 'If-None-Match': answer.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  })

  test('browsers request the page of the interface each time', async () => {
    const answer = await get('/files/')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toContain('no-cache')
    expect(answer.headers.get('content-type')).toContain('text/html')
  })

  test('a static path that is not in the manifest is 404', async () => {
    for (const path of ['/static/..%2f..%2fpackage.json', '/static/', '/static/__proto__']) {
      expect((await get(path)).status).toBe(404)
    }
  })
})

test('the executable prints its help if no other program can be found', async () => {
  const home = installed.makeFolder('bare')
  const { code, stdout } = await run(home, ['--help'], { PATH: '' })
  expect(code).toBe(0)
  expect(stdout).toContain('filemgr serve')
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
