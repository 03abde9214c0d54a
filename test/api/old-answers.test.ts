/** Answers that clients of File Browser rely on, where nothing speaks against them (docs/api.md 1). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { outcome, signIn } from '../support/server/client.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { startServer } from '../support/server/server.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  writeFileSync(disk('own.txt'), 'OWN')
  mkdirSync(disk('box'))
})
afterAll(() => app.stop())

const disk = (...names: string[]) => join(app.root, 'anna', ...names)

test('a session is renewed by GET too, for those who show its token', async () => {
  const anna = await signIn(app.url, 'anna', PASSWORD)
  const renewed = await anna.call('GET', API.renew)
  expect([renewed.status, renewed.headers.get('x-renew-token')]).toEqual([200, 'false'])
  const token = await renewed.text()
  expect(
    await outcome(app.anonymous.call('GET', API.sessions, undefined, { 'X-Auth': token })),
  ).toBe('200')
  const cookie = { Cookie: `auth=${token}` }
  expect(await outcome(app.anonymous.call('GET', API.renew, undefined, cookie))).toBe(
    '401 unauthenticated',
  )
})

describe('the form of old clients', () => {
  test('a path may be encoded as a whole after its prefix, with or without a slash', async () => {
    mkdirSync(disk('docs'), { recursive: true })
    writeFileSync(disk('docs', 'a b.txt'), 'A')
    const path = encodeURIComponent('/docs/a b.txt')
    for (const address of [`${API.share}${path}`, `${API.share}/${path}`]) {
      const made = await app.anna.call('POST', address, {})
      expect([address, made.status, (await made.json()).path]).toEqual([
        address,
        200,
        '/docs/a b.txt',
      ])
      const listed = await (await app.anna.call('GET', address)).json()
      expect(listed.map((share: { path: string }) => share.path)).toContain('/docs/a b.txt')
    }
    for (const spelled of [path, path.toLowerCase()]) {
      const raw = await app.anna.call('GET', `${API.raw}${spelled}`)
      expect([spelled, await raw.text()]).toEqual([spelled, 'A'])
    }
    expect(await outcome(app.anna.call('GET', `${API.resources}%2Frecursive%2Fdocs`))).toBe('200')
    const { hash } = await (await app.anna.call('POST', `${API.share}/docs/`, {})).json()
    const visit = (rest: string) => app.anonymous.call('GET', `${API.publicDownload}${rest}`)
    expect(await (await visit(`%2F${hash}%2Fa%20b.txt`)).text()).toBe('A')
    // An encoded path leaves neither the prefix nor the share.
    expect(await outcome(app.anna.call('GET', `${API.raw}%2F..%2Fsettings`))).toBe('404 notFound')
    expect(await outcome(visit(`/${hash}%2F..%2F..%2Fown.txt`))).toBe('404 notFound')
    for (const odd of ['X%2Fdocs', '%252Fdocs']) {
      expect(await outcome(app.anna.call('GET', `${API.raw}${odd}`))).toBe('404 notFound')
    }
    const page = await app.anna.call('GET', '/api%2Fraw/docs/a%20b.txt')
    expect(page.headers.get('content-type')).toStartWith('text/html')
    expect(await outcome(app.anna.call('GET', `${API.raw}/docs%252Fa%20b.txt`))).toBe(
      '404 notFound',
    )
  })

  test('sign-in, renewal and sign-up answer every method', async () => {
    const form = JSON.stringify({ username: 'anna', password: PASSWORD, recaptcha: '' })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const signed = await app.anonymous.call(method, API.login, form)
      expect([method, signed.status]).toEqual([method, 200])
      const headers = { 'X-Auth': await signed.text() }
      const renewed = await app.anonymous.call(method, API.renew, undefined, headers)
      expect([method, renewed.status]).toEqual([method, 200])
      expect(await outcome(app.anonymous.call(method, API.signup, form))).toBe(
        '405 methodNotAllowed',
      )
    }
    expect(await outcome(app.anonymous.call('GET', API.signup))).toBe('405 methodNotAllowed')
    expect(await outcome(app.anonymous.call('HEAD', API.renew))).toBe('401 unauthenticated')
  })

  test('without a form, sign-in answers GET', async () => {
    const open = await startServer({ args: ['--auth.method', 'noauth'] })
    const answer = await fetch(`${open.url}${API.login}`)
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    ])
    await open.stop()
  })

  test('a visit of the address for sign-in is no failed attempt', async () => {
    for (let count = 0; count < 60; count += 1) {
      const method = count % 2 === 0 ? 'GET' : 'HEAD'
      expect(await outcome(app.anonymous.call(method, API.login))).toBe('403 wrongCredentials')
    }
    expect((await signIn(app.url, 'anna', PASSWORD)).token).not.toBe('')
  })

  test('the manifest of an installed web app has its old address, too', async () => {
    const [old, present] = [
      await app.anonymous.call('GET', '/static/manifest.json'),
      await app.anonymous.call('GET', '/manifest.webmanifest'),
    ]
    expect([old.status, await old.text()]).toEqual([200, await present.text()])
    expect(await outcome(app.anonymous.call('HEAD', '/static/manifest.json'))).toBe('200')
    expect(await outcome(app.anonymous.call('GET', '/static/manifest.json/x'))).toBe('404 notFound')
  })

  test('the state of an upload is read by GET, too', async () => {
    const made = await app.anna.call('POST', `${API.tus}/up.bin`, undefined, {
      'Upload-Length': '5',
    })
    expect(made.status).toBe(201)
    const read = async (method: string) => {
      const answer = await app.anna.call(method, `${API.tus}/up.bin`)
      const { headers } = answer
      return [
        answer.status,
        headers.get('upload-offset'),
        headers.get('upload-length'),
        headers.get('cache-control'),
      ]
    }
    expect(await read('GET')).toEqual([200, '0', '5', 'no-store'])
    expect(await read('HEAD')).toEqual(await read('GET'))
    expect(await outcome(app.anna.call('GET', `${API.tus}/none.bin`))).toBe('404 notFound')
  })
})

test('a link needs a body that says what it is to be', async () => {
  expect(await outcome(app.anna.call('POST', `${API.share}/own.txt`))).toBe('400 badRequest')
  expect(await outcome(app.anna.call('POST', `${API.share}/own.txt`, {}))).toBe('200')
})

test('a share of a file may be downloaded under any name', async () => {
  const { hash } = await (await app.anna.call('POST', `${API.share}/own.txt`, {})).json()
  for (const name of ['', '/', '/own.txt', '/nice%20name.pdf', '/%E4%B8%96']) {
    const file = await app.anonymous.call('GET', `${API.publicDownload}/${hash}${name}`)
    expect(`${name} ${file.status} ${await file.text()}`).toBe(`${name} 200 OWN`)
    expect(file.headers.get('content-disposition')).toContain('own.txt')
    const seen = await app.anonymous.call('GET', `${API.publicShare}/${hash}${name}`)
    expect((await seen.json()).name).toBe('own.txt')
  }
})

test('a name that is taken gets its number as it always did', async () => {
  const names = {
    'a.txt': ['a(1).txt', 'a(2).txt'],
    'a.tar.gz': ['a(1).tar.gz', 'a(2).tar.gz'],
    '.env': ['.env(1)', '.env(2)'],
    '.config.json': ['.config(1).json', '.config(2).json'],
    plain: ['plain(1)', 'plain(2)'],
    'v1.2': ['v1(1).2', 'v1(2).2'],
  }
  for (const [name, others] of Object.entries(names)) {
    writeFileSync(disk('box', name), name)
    for (const _ of others) {
      const target = encodeURIComponent(encodeURIComponent(`/box/${name}`))
      const address = `${API.resources}/box/${name}?action=copy&rename=true&destination=${target}`
      expect(await outcome(app.anna.call('PATCH', address))).toBe('200')
    }
  }
  expect(readdirSync(disk('box')).sort()).toEqual(
    Object.entries(names)
      .flatMap(([name, others]) => [name, ...others])
      .sort(),
  )
})

test('users whom a program adds see names from A to Z', async () => {
  const add = (username: string, sorting: object | undefined) =>
    app.admin.call('POST', API.users, {
      what: 'user',
      which: [],
      current_password: app.server.password,
      data: { username, password: PASSWORD, scope: '/', sorting },
    })
  const orders = [
    ['one', { by: '', asc: false }, { by: 'name', asc: true }],
    ['two', { by: 'name', asc: false }, { by: 'name', asc: true }],
    ['three', { by: 'size', asc: false }, { by: 'size', asc: false }],
    ['four', undefined, { by: 'name', asc: true }],
  ] as const
  for (const [username, sorting, expected] of orders) {
    expect((await add(username, sorting)).status).toBe(201)
    const person = await signIn(app.url, username, PASSWORD)
    const listing = await (await person.call('GET', `${API.resources}/`)).json()
    expect([username, listing.sorting]).toEqual([username, expected])
  }
})

describe('types by ending', () => {
  test.each([
    ['film.qt', 'video'],
    ['film.movie', 'video'],
    ['song.caf', 'audio'],
    ['song.voc', 'audio'],
    ['song.opus', 'audio'],
    ['old.pct', 'image'],
    ['old.wbmp', 'image'],
    ['note.rtf', 'text'],
    ['card.vcard', 'text'],
    ['page.shtml', 'text'],
    ['prog.com', 'blob'],
  ])('%s is %s', async (name, type) => {
    writeFileSync(disk(name), new Uint8Array([0, 1, 2, 255]))
    const entry = await (await app.anna.call('GET', `${API.resources}/${name}`)).json()
    expect(entry.type).toBe(type)
    const { items } = await (await app.anna.call('GET', `${API.resources}/`)).json()
    expect(items.find((item: { name: string }) => item.name === name).type).toBe(type)
  })
})

describe('a client that decodes pictures itself', () => {
  const big = async (name: string, accept?: string) => {
    const headers = accept === undefined ? {} : { Accept: accept }
    return app.anna.call('GET', `${API.preview}/big/${name}?inline=true`, undefined, headers)
  }
  const BROWSER = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'

  test('a client that decodes pictures gets a TIFF as a smaller TIFF, and a browser what it can show', async () => {
    const source = {
      create: { width: 2000, height: 1000, channels: 3, background: 'red' },
    } as const
    writeFileSync(disk('scan.tif'), await sharp(source).tiff().toBuffer())
    const tiff = await big('scan.tif')
    expect(tiff.headers.get('content-type')).toBe('image/tiff')
    expect(tiff.headers.get('vary')).toContain('Accept')
    expect(await sharp(await tiff.bytes()).metadata()).toMatchObject({
      format: 'tiff',
      width: 1080,
      height: 540,
    })
    const shown = await big('scan.tif', BROWSER)
    expect(shown.headers.get('content-type')).toBe('image/jpeg')
    expect(shown.headers.get('etag')).not.toBe(tiff.headers.get('etag'))
    const again = await big('scan.tif')
    expect(again.headers.get('content-type')).toBe('image/tiff')
    const small = await app.anna.call('GET', `${API.preview}/thumb/scan.tif`)
    expect(small.headers.get('content-type')).toBe('image/jpeg')
  })

  test('a client that decodes pictures gets what a camera wrote as it is', async () => {
    writeFileSync(disk('photo.nef'), 'camera')
    expect(await (await big('photo.nef')).text()).toBe('camera')
    expect(await outcome(big('photo.nef', BROWSER))).toBe('422 unprocessable')
  })
})
