/** The content origin: only files that are shown are served atContentOrigin, and only with a signed URL. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_COOKIE } from '#wire/api/session.ts'
import { zipOf } from '../support/files/made-archives.ts'
import { temporaryFolder } from '../support/files/tree.ts'
import { signIn } from '../support/server/client.ts'
import { runFilemgr } from '../support/server/executable.ts'
import { PASSWORD } from '../support/server/passwords.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const BYTES = 'http://bytes.test'
const SHOWN = `${API.raw}/a%20b.png?inline=true`

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ args: ['--bytes-origin', BYTES] })
  for (const name of ['a b.png', 'c.png']) writeFileSync(join(app.root, 'anna', name), 'bytes')
  mkdirSync(join(app.root, 'anna/folder'))
  writeFileSync(join(app.root, 'anna/folder/d.png'), 'shared')
})
afterAll(() => app.stop())

interface Asked {
  host?: string
  dest?: string
  token?: string
  method?: string
}

/** Sends a request as a browser would, without following redirects. */
function ask(address: string, { host, dest = 'image', token = app.anna.token, method }: Asked) {
  return fetch(app.url + address, {
    redirect: 'manual',
    method: method ?? 'GET',
    headers: {
      'Sec-Fetch-Dest': dest,
      ...(token && { Cookie: `${TOKEN_COOKIE}=${token}` }),
      ...(host && { Host: host }),
    },
  })
}

/** The signed URL to which a browser is redirected, without the content origin. */
async function signedUrlOf(address: string, asked: Asked = {}): Promise<string> {
  const answer = await ask(address, asked)
  expect(answer.status).toBe(302)
  const url = answer.headers.get('location') ?? ''
  expect(url).toStartWith(`${BYTES}/`)
  return url.slice(BYTES.length)
}
const atContentOrigin = { host: 'bytes.test', token: '' }

describe('a file that is shown', () => {
  test('a signed URL shows one file of an archive at the content origin, and no other file of it', async () => {
    const entries = ['a.png', 'b.png'].map((name) => ({ name, content: `bytes of ${name}` }))
    writeFileSync(join(app.root, 'anna', 'pack.zip'), zipOf(...entries))
    const url = await signedUrlOf(`${API.archiveFile}/pack.zip?inside=/a.png&inline=true`)
    const answer = await ask(url, atContentOrigin)
    expect([answer.status, await answer.text()]).toEqual([200, 'bytes of a.png'])
    expect((await ask(url.replace('a.png', 'b.png'), atContentOrigin)).status).toBe(404)
  })

  test('a shown file is served from the content origin without a cookie, and only the interface may frame it', async () => {
    const answer = await ask(await signedUrlOf(SHOWN), atContentOrigin)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('bytes')
    const { host } = new URL(app.url)
    expect(answer.headers.get('content-security-policy')).toStartWith('sandbox;')
    expect(answer.headers.get('content-security-policy')).toContain(
      `frame-ancestors http://${host}`,
    )
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(answer.headers.get('content-disposition')).toStartWith('inline')
  })

  test('every kind of request for a shown file redirects to the same signed URL for a while', async () => {
    const ways = ['image', 'video', 'audio', 'iframe', 'document', 'embed', 'object']
    const found = await Promise.all(ways.map((dest) => signedUrlOf(SHOWN, { dest })))
    expect(new Set(found).size).toBe(1)
  })

  test('over plain HTTP, where browsers do not send the destination, a page or picture redirects', async () => {
    const ask = (accept: string) =>
      fetch(app.url + SHOWN, {
        redirect: 'manual',
        headers: { Accept: accept, Cookie: `${TOKEN_COOKIE}=${app.anna.token}` },
      })
    const accepted = ['text/html,application/xhtml+xml,*/*;q=0.8', 'image/avif,image/webp,*/*']
    for (const accept of accepted) expect((await ask(accept)).status).toBe(302)
    expect((await ask('*/*')).status).toBe(200)
  })

  test('a shown file is one audit record', async () => {
    const acts = async (): Promise<AuditEntry[]> =>
      (await app.anna.call('GET', `${API.audit}?action=open&limit=1000`)).json()
    const before = (await acts()).length
    await (await ask(await signedUrlOf(SHOWN), atContentOrigin)).text()
    expect(await acts()).toHaveLength(before + 1)
  })

  test('a file of a share is served from the content origin too', async () => {
    const { hash } = await (await app.anna.call('POST', `${API.share}/folder/`, {})).json()
    const url = await signedUrlOf(`${API.publicDownload}/${hash}/d.png?inline=true`, { token: '' })
    expect(await (await ask(url, atContentOrigin)).text()).toBe('shared')
  })
})

describe('a file that is not shown', () => {
  test.each([
    ['a download', `${API.raw}/a%20b.png`, 'document'],
    ['what a script reads', SHOWN, 'empty'],
    ['a program that is no browser', SHOWN, ''],
  ])('%s is served without a redirect', async (_, address, dest) => {
    expect((await ask(address, { dest })).status).toBe(200)
  })
})

describe('the content origin', () => {
  test('the content origin has no interface and no API', async () => {
    const { token } = app.anna
    for (const address of ['/', '/login', '/files/', '/sw.js', API.login, API.users, SHOWN]) {
      expect((await ask(address, { host: 'bytes.test', token })).status).toBe(404)
    }
  })

  test('a signed URL opens only its own query', async () => {
    const url = await signedUrlOf(SHOWN)
    const changed = [
      url.replace('inline=true', 'inline=false'),
      url.replace('inline=true&', ''),
      `${url}&files=c.png`,
      `${url}&inline=true`,
      url.replace('?', '?algo=tar&'),
    ]
    for (const other of changed) expect((await ask(other, atContentOrigin)).status).toBe(404)
    const folder = await signedUrlOf(`${API.raw}/folder/?inline=true&files=d.png`, {
      dest: 'iframe',
    })
    expect((await ask(folder, atContentOrigin)).status).toBe(200)
    expect((await ask(folder.replace('d.png', ''), atContentOrigin)).status).toBe(404)
    expect((await ask(folder.replace('&files=d.png', ''), atContentOrigin)).status).toBe(404)
    expect((await ask(url, atContentOrigin)).status).toBe(200)
  })

  test('a signed URL opens only its own path for reading, and a token is not a signed URL', async () => {
    const pass = new URL(BYTES + (await signedUrlOf(SHOWN))).searchParams.get('pass')
    for (const address of [`${API.raw}/c.png?inline=true`, `${API.resources}/`, `${API.raw}/`]) {
      const sign = address.includes('?') ? '&' : '?'
      expect((await ask(`${address}${sign}pass=${pass}`, atContentOrigin)).status).toBe(404)
    }
    for (const forged of [app.anna.token, '', 'x.y.z', pass?.slice(0, -2)]) {
      expect((await ask(`${SHOWN}&pass=${forged}`, atContentOrigin)).status).toBe(404)
    }
    const change = await ask(`${SHOWN}&pass=${pass}`, { ...atContentOrigin, method: 'DELETE' })
    expect(change.status).toBe(404)
  })

  test('a signed URL is not a token', async () => {
    const pass = new URL(BYTES + (await signedUrlOf(SHOWN))).searchParams.get('pass') ?? ''
    expect((await ask(`${API.resources}/`, { token: pass })).status).toBe(401)
    const headers = { 'X-Auth': pass }
    expect((await fetch(`${app.url}${API.resources}/`, { headers })).status).toBe(401)
  })

  test('a signed URL expires with the session', async () => {
    const short = await signIn(app.url, 'anna', PASSWORD)
    const url = await signedUrlOf(SHOWN, { token: short.token })
    expect((await ask(url, atContentOrigin)).status).toBe(200)
    await short.call('POST', API.logout)
    expect((await ask(url, atContentOrigin)).status).toBe(401)
  })

  test('a proxy that drops the host name causes an error, not an endless redirect', async () => {
    const answer = await ask(await signedUrlOf(SHOWN), { token: '' })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Host')
  })
})

test('the page allows pictures, films and frames of the content origin, and no scripts', async () => {
  const policy = (await fetch(app.url)).headers.get('content-security-policy') ?? ''
  for (const part of ['img-src', 'media-src', 'frame-src']) {
    expect(policy).toMatch(new RegExp(`${part} [^;]*${BYTES}`))
  }
  expect(policy.split(BYTES)).toHaveLength(4)
})

test.each(['files.example.org', 'https://x.test/folder', 'ftp://x.test', 'javascript:1'])(
  '%s is refused as content origin',
  async (address) => {
    const folder = temporaryFolder()
    const database = join(folder.path, 'f.db')
    const words = ['serve', folder.path, '--port', '0', '--database', database]
    const run = await runFilemgr([...words, '--bytes-origin', address], { home: folder.path })
    expect(run.code).not.toBe(0)
    expect(run.stderr).toContain('bytesOrigin must be an address')
    folder.remove()
  },
)
