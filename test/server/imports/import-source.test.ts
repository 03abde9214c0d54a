/** Imports from other servers: only from allowed hosts, and never from this network, also after a redirect. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ImportLimits, type Network, openImport } from '#server/imports/import-source.ts'
import { isPublicAddress } from '#server/imports/public-address.ts'
import { Fault } from '#wire/fault.ts'
import { code } from '../../support/storage/served.ts'

const MAX = 1000
let server: ReturnType<typeof Bun.serve>
/** Host and path of each request that arrived. */
const asked: string[] = []
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url)
      asked.push(`${request.headers.get('host')?.split(':')[0]}${pathname}`)
      if (pathname === '/to') return Response.redirect(searchParams.get('url') ?? '', 302)
      if (pathname === '/round') return Response.redirect('/round', 307)
      if (pathname === '/large') return new Response('x'.repeat(MAX + 1))
      if (pathname === '/endless') return new Response(endless())
      if (pathname === '/zipped') {
        return new Response(Bun.gzipSync('x'), { headers: { 'Content-Encoding': 'gzip' } })
      }
      if (pathname === '/named') {
        return new Response('x', {
          headers: { 'Content-Disposition': 'attachment; filename="../../etc/.passwd"' },
        })
      }
      return pathname === '/missing' ? new Response('', { status: 404 }) : new Response('content')
    },
  })
})
afterAll(() => server.stop(true))

/** More bytes than were declared. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(400)) })
}

const url = (host: string, path = '/file.txt') => `http://${host}:${server.port}${path}`
const LIMITS = (): ImportLimits => ({
  hosts: [`files.test:${server.port}`, `*.files.test:${server.port}`],
  sizeMaxBytes: MAX,
})
/** A network in which all names are resolved to this machine, as in an attack. */
const OPEN: Network = { resolve: async () => ['127.0.0.1'], isAllowed: () => true }

async function imported(address: string, network: Network = OPEN, limits = LIMITS()) {
  const { name, bytes } = await openImport(address, limits, new AbortController().signal, network)
  let text = ''
  for await (const part of bytes) text += new TextDecoder().decode(part)
  return { name, text }
}
const refused = (address: string, network?: Network, limits?: ImportLimits) =>
  code(imported(address, network, limits))

test('a file is imported from the address that was resolved for an allowed host, with its name', async () => {
  let lookups = 0
  const network = {
    ...OPEN,
    // The name has another address at the second lookup.
    resolve: async () => [lookups++ === 0 ? '127.0.0.1' : '192.0.2.1'],
  }
  expect(await imported(url('files.test'), network)).toEqual({ name: 'file.txt', text: 'content' })
  expect(await imported(url('www.files.test'))).toEqual({ name: 'file.txt', text: 'content' })
  expect(asked.splice(0)).toEqual(['files.test/file.txt', 'www.files.test/file.txt'])
  expect(lookups).toBe(1)
})

describe('an import that is not allowed', () => {
  test.each([
    ['a host that is not allowed', 'other.test'],
    ['a host whose name only ends like an allowed one', 'evilfiles.test'],
    ['an address', '127.0.0.1'],
  ])('an import from %s is refused without a request', async (_, host) => {
    expect(await refused(url(host))).toBe('forbidden')
    expect(asked.splice(0)).toEqual([])
  })

  test('an import from another port than the allowed one is refused', async () => {
    expect(await refused('http://files.test/')).toBe('forbidden')
    expect(await refused('https://files.test/')).toBe('forbidden')
  })

  test.each(['file:///etc/passwd', 'ftp://files.test/x', 'gopher://files.test/', 'data:,x', 'x'])(
    'an import of a URL with another scheme is refused: %s',
    async (address) => expect(await refused(address)).toBe('badRequest'),
  )

  test('an import of a URL with a password is refused', async () => {
    expect(await refused(`http://a:b@files.test:${server.port}/`)).toBe('badRequest')
  })

  test('every import is refused if no host is allowed', async () => {
    expect(await refused(url('files.test'), OPEN, { hosts: [], sizeMaxBytes: MAX })).toBe(
      'forbidden',
    )
  })

  test('an import from a host with an address that is not public is refused, even if every host is allowed', async () => {
    const limits = { hosts: [`*:${server.port}`], sizeMaxBytes: MAX }
    const network = {
      resolve: async () => ['93.184.215.14', '127.0.0.1'],
      isAllowed: isPublicAddress,
    }
    expect(await refused(url('files.test'), network, limits)).toBe('forbidden')
    for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0']) {
      expect(await refused(url(host), network, limits)).toBe('forbidden')
    }
    expect(asked.splice(0)).toEqual([])
  })
})

describe('a redirect', () => {
  const redirect = (to: string) => url('files.test', `/to?url=${encodeURIComponent(to)}`)

  test('an import follows a redirect to an allowed host', async () => {
    expect((await imported(redirect(url('www.files.test')))).text).toBe('content')
    asked.length = 0
  })

  test('an import follows no redirect to another host, scheme or network', async () => {
    expect(await refused(redirect(url('other.test')))).toBe('forbidden')
    expect(await refused(redirect('file:///etc/passwd'))).toBe('badRequest')
    const network = {
      resolve: async (host: string) => [host === 'files.test' ? '127.0.0.1' : '10.0.0.1'],
      isAllowed: (address: string) => address === '127.0.0.1',
    }
    expect(await refused(redirect(url('www.files.test')), network)).toBe('forbidden')
    expect(asked.splice(0)).toEqual(['files.test/to', 'files.test/to', 'files.test/to'])
  })

  test('an import follows five redirects at most @limit-61', async () => {
    expect(await refused(url('files.test', '/round'))).toBe('unprocessable')
    expect(asked.splice(0)).toHaveLength(6)
  })
})

test('an import that is too large is refused, with or without an announced length @limit-61', async () => {
  expect(await refused(url('files.test', '/large'))).toBe('tooLarge')
  expect(await refused(url('files.test', '/endless'))).toBe('tooLarge')
})

test('an import of a response that is not a file is refused', async () => {
  expect(await refused(url('files.test', '/missing'))).toBe('unprocessable')
  expect(await refused(url('files.test', '/zipped'))).toBe('unsupported')
})

describe('an import whose server fails after the first bytes', () => {
  /** A server that sends the first bytes of a file and then calls `then`. */
  async function problemOf(
    then: (socket: { end(): void; terminate(): void }) => void,
    network: Partial<Network> = {},
  ) {
    const partial = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        data(socket) {
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort')
          setTimeout(() => then(socket), 1)
        },
      },
    })
    const limits = { hosts: [`files.test:${partial.port}`], sizeMaxBytes: MAX }
    const address = `http://files.test:${partial.port}/`
    try {
      await imported(address, { ...OPEN, ...network }, limits)
      return 'no fault'
    } catch (error) {
      return error instanceof Fault ? `${error.code}: ${error.message}` : error
    } finally {
      partial.stop(true)
    }
  }

  test.each([
    ['ends', (socket: { end(): void }) => socket.end()],
    ['resets', (socket: { terminate(): void }) => socket.terminate()],
  ])('an import fails with a reason if the other server %s the connection', async (_, then) => {
    expect(await problemOf(then)).toBe(
      'unprocessable: The other server ended the connection before all of the file arrived.',
    )
  })

  test('an import fails with a reason if the other server sends nothing more', async () => {
    expect(await problemOf(() => undefined, { silentMs: 50 })).toBe(
      'unprocessable: The other server stopped sending the file.',
    )
  })
})

test('the file name from another server is a single valid name', async () => {
  expect((await imported(url('files.test', '/named'))).name).toBe('passwd')
})

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:db8::1',
  'x',
  '',
])('the address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false))

test.each(['1.1.1.1', '93.184.215.14', '172.32.0.1', '2606:4700::1111'])(
  'the address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
)
