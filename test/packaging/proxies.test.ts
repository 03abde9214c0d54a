/** Real reverse proxies with the examples of docs/examples, in front of a server under /files. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { temporaryFolder } from '../support/files/tree.ts'
import { anonymous, type Client, signIn } from '../support/server/client.ts'
import {
  hasProxy,
  type ProxyName,
  type RunningProxy,
  readExample,
  startProxy,
} from '../support/server/proxies.ts'
import { openTestApp, type TestApp } from '../support/server/test-app.ts'

const PROXIES: ProxyName[] = ['nginx', 'caddy', 'apache2']
const LARGE = Buffer.alloc(24 * 2 ** 20, 'filemgr')
const PASSWORD = 'share password é'

let app: TestApp
beforeAll(async () => {
  const args = ['--base-url', '/files', '--trusted-proxies', '127.0.0.1', '--exec']
  app = await openTestApp({ args })
})
afterAll(() => app.stop())

describe.each(PROXIES)('%s', (name) => {
  let proxy: RunningProxy
  let url: string
  let admin: Client
  const testIfInstalled = test.skipIf(!hasProxy(name))
  beforeAll(async () => {
    if (!hasProxy(name)) return
    proxy = await startProxy(name, Number(new URL(app.url).port))
    url = `${proxy.url}/files`
    admin = await signIn(url, 'admin', app.server.password)
  })
  afterAll(() => proxy?.stop())

  testIfInstalled(
    'the proxy sends the page, also for the URL without a slash at the end',
    async () => {
      const page = await fetch(`${proxy.url}/files`)
      expect([page.status, new URL(page.url).pathname]).toEqual([200, '/files/'])
      expect(await page.text()).toContain('"BaseURL":"/files"')
    },
  )

  testIfInstalled('the proxy passes on a large upload, by tus and in one request', async () => {
    const address = `/api/tus/${name}.bin`
    const created = await admin.call('POST', address, undefined, {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': String(LARGE.length),
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('Location')).toStartWith('/files/api/tus/')
    const half = LARGE.length / 2
    for (const at of [0, half]) {
      const sent = await admin.call('PATCH', address, LARGE.subarray(at, at + half), {
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': String(at),
        'Content-Type': 'application/offset+octet-stream',
      })
      expect([sent.status, sent.headers.get('Upload-Offset')]).toEqual([204, `${at + half}`])
    }
    const plain = await admin.call('POST', `/api/resources/${name}-plain.bin`, LARGE)
    expect(plain.status).toBe(200)
    for (const file of [`${name}.bin`, `${name}-plain.bin`]) {
      const answer = await admin.call('GET', `/api/raw/${file}`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(LARGE)).toBe(true)
    }
  })

  testIfInstalled('the proxy changes neither unusual names nor ranges', async () => {
    const odd = encodeURIComponent(`${name} 100% a#b;c?d+e&f é.txt`)
    await admin.call('POST', `/api/resources/${odd}`, 'odd')
    expect(await (await admin.call('GET', `/api/raw/${odd}`)).text()).toBe('odd')
    const range = await admin.call('GET', `/api/raw/${odd}`, undefined, { Range: 'bytes=1-2' })
    expect([range.status, await range.text()]).toEqual([206, 'dd'])
  })

  testIfInstalled('the proxy passes on WebSockets', async () => {
    const address = `${url.replace('http', 'ws')}/api/command/`
    // Bun's WebSocket accepts headers, but the type of the DOM does not have them.
    const socket = new WebSocket(address, {
      headers: { 'X-Auth': admin.token },
    } as object as string[])
    const answer = Promise.withResolvers<string>()
    socket.onopen = () => socket.send('unknown-program')
    socket.onerror = () => answer.reject(new Error('The WebSocket does not open.'))
    socket.onmessage = ({ data }) => answer.resolve(String(data))
    expect(await answer.promise).toContain('Command not allowed.')
    socket.close()
  })

  testIfInstalled(
    'the proxy passes on each event of a folder before the response ends',
    async () => {
      const events = await admin.call('GET', '/api/events/')
      if (!events.body) throw new Error(`The status is ${events.status}, without a body.`)
      const reader = events.body.pipeThrough(new TextDecoderStream()).getReader()
      await reader.read()
      await admin.call('POST', `/api/resources/${name}-live.txt`, 'x')
      let received = ''
      while (!received.includes('event: changed')) {
        const { done, value = '' } = await reader.read()
        if (done) throw new Error(`The stream ended after: ${received}`)
        received += value
      }
      await reader.cancel()
    },
  )

  testIfInstalled('the proxy passes on requests to shares, with their password', async () => {
    await admin.call('POST', `/api/resources/${name}-shared/`, '')
    await admin.call('POST', `/api/resources/${name}-shared/a%20b.txt`, 'shared')
    const made = await admin.call('POST', `/api/share/${name}-shared/`, { password: PASSWORD })
    const { hash } = (await made.json()) as { hash: string }
    const visitor = anonymous(url)
    const address = `/api/public/dl/${hash}/a%20b.txt`
    expect((await visitor.call('GET', address)).status).toBe(401)
    const header = { 'X-SHARE-PASSWORD': encodeURIComponent(PASSWORD) }
    expect(await (await visitor.call('GET', address, undefined, header)).text()).toBe('shared')
    const page = await fetch(`${url}/share/${hash}`)
    expect(page.headers.get('Content-Type')).toContain('text/html')
  })
})

test('the example of Traefik is valid YAML and names the address of the server', () => {
  const { http } = parse(readExample('traefik.yaml'))
  expect(http.routers.filemgr).toMatchObject({
    rule: expect.stringContaining('PathPrefix(`/files`)'),
    service: 'filemgr',
  })
  expect(http.services.filemgr.loadBalancer.servers).toEqual([{ url: 'http://127.0.0.1:8080' }])
})

test.skipIf(!hasProxy('haproxy'))('the example of HAProxy is valid with its certificate', () => {
  const folder = temporaryFolder()
  const [key, certificate] = [join(folder.path, 'key'), join(folder.path, 'certificate')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=example.org']
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  writeFileSync(certificate, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const example = readExample('haproxy.cfg')
  const file = join(folder.path, 'haproxy.cfg')
  writeFileSync(file, example.replace('/etc/haproxy/example.org.pem', certificate))
  const PATH = `${process.env.PATH ?? ''}:/usr/sbin`
  const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-V', '-f', file], {
    env: { PATH },
    encoding: 'utf8',
  })
  folder.remove()
  expect(example).toContain('crt /etc/haproxy/example.org.pem')
  expect([status, stdout + stderr]).toEqual([0, expect.not.stringMatching(/warning|alert/i)])
})
