/** Which file on the server is the one that was sent. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { parsePath } from '#wire/paths.ts'
import { openPage } from '../browser.ts'
import { type Peer, refusal, type Stored, startPeer } from '../peer.ts'

const MODIFIED_MS = 1_700_000_000_000
const PATH = parsePath('/a.bin')
const { signal } = new AbortController()

let peer: Peer
let closePage: () => Promise<void>
let storedFile: typeof import('#ui/uploads/send/stored-file.ts')

beforeAll(async () => {
  peer = startPeer()
  closePage = openPage(peer.origin)
  storedFile = await import('#ui/uploads/send/stored-file.ts')
})

afterAll(async () => {
  await closePage()
  await peer.stop()
})

beforeEach(() => localStorage.setItem('jwt', peer.token))

afterEach(() => {
  peer.intercept = () => undefined
  peer.files.clear()
  peer.calls.length = 0
  Reflect.deleteProperty(crypto, 'subtle')
})

/** Makes the page one without https, on which browsers compute no checksums. */
function withoutChecksums(): void {
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
}

function put(content: string, modifiedMs = MODIFIED_MS): void {
  peer.files.set(PATH, { bytes: new TextEncoder().encode(content), modifiedMs } satisfies Stored)
}

function uploadOf(content: string, override = false) {
  const file = new File([content], 'a.bin', { lastModified: MODIFIED_MS })
  return { file, path: PATH, relativePath: 'a.bin', override }
}

/** The name of the error with which a check ends. */
const errorOf = (check: Promise<unknown>) =>
  check.then(
    () => 'none',
    (error) => error.name,
  )
const check = (content: string, etag?: string) =>
  errorOf(storedFile.requireAsSent(uploadOf(content), etag, signal))

describe('the file after its last byte', () => {
  test('a file with the version of the response is the sent one, and its content is not requested', async () => {
    put('sent')
    const { headers } = await peer.answer(
      new Request(`${peer.origin}/api/resources/a.bin`, { headers: { 'X-Auth': peer.token } }),
    )
    expect(await check('sent', headers.get('etag') ?? '')).toBe('none')
    expect(peer.calls).toEqual(['HEAD /api/resources/a.bin'])
  })

  test.each([
    ['the same content', 'sent', MODIFIED_MS, 'none'],
    ['the same content and another time', 'sent', 0, 'none'],
    ['other content of the same size and time', 'tens', MODIFIED_MS, 'NotAsSentError'],
    ['another size', 'longer', MODIFIED_MS, 'NotAsSentError'],
  ])('with another version, a file with %s: %p at %p is %p', async (_, content, time, error) => {
    put(content, time)
    expect(await check('sent', '"other"')).toBe(error)
    expect(await check('sent')).toBe(error)
  })

  test.each([
    ['the same time', 'tens', MODIFIED_MS, 'none'],
    ['nearly the same time', 'tens', MODIFIED_MS + 1999, 'none'],
    ['another time', 'tens', MODIFIED_MS + 3000, 'NotAsSentError'],
    ['another size', 'longer', MODIFIED_MS, 'NotAsSentError'],
  ])('without checksums, a file with %s: %p at %p is %p', async (_, content, time, error) => {
    withoutChecksums()
    put(content, time)
    expect(await check('sent')).toBe(error)
  })

  test('without the right to download, the size and the time of a file count', async () => {
    peer.intercept = (request) =>
      request.url.includes('checksum') ? refusal(403, 'forbidden') : undefined
    put('tens')
    expect(await check('sent')).toBe('none')
    put('tens', 0)
    expect(await check('sent')).toBe('NotAsSentError')
  })

  test('a folder, and no file, are not the sent file', async () => {
    expect(await check('sent', '"version"')).toBe('NotAsSentError')
    peer.folders.add(PATH)
    expect(await check('sent')).toBe('NotAsSentError')
    peer.folders.delete(PATH)
  })

  test('a server that does not say what it has leaves the question open', async () => {
    put('sent')
    peer.intercept = () => refusal(503, 'unavailable')
    expect(await check('sent', '"version"')).toBe('Fault')
    expect(await check('sent')).toBe('Fault')
  })
})

describe('the file after a lost response', () => {
  const isStored = (content: string, override = false) =>
    storedFile.isStored(uploadOf(content, override), signal)

  test('a file with the same size, time and content is the sent one, whether it replaced another or not', async () => {
    expect(await isStored('sent')).toBe(false)
    put('sent')
    expect([await isStored('sent'), await isStored('sent', true)]).toEqual([true, true])
    put('tens')
    expect([await isStored('sent'), await isStored('sent', true)]).toEqual([false, false])
    put('sent', 0)
    expect(await isStored('sent')).toBe(false)
  })

  test('without checksums, a file that was to be replaced is not the sent one, and a new one is', async () => {
    withoutChecksums()
    put('tens')
    expect([await isStored('sent'), await isStored('sent', true)]).toEqual([true, false])
    put('longer')
    expect(await isStored('sent')).toBe(false)
  })
})
