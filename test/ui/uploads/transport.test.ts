import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Attempt, Transport, Upload } from '#ui/uploads/transport.ts'
import { isFault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { openPage, useBrowserTus } from './browser.ts'
import { type Peer, refusal, startPeer } from './peer.ts'

const CHUNK = 1024 * 1024
const MODIFIED_MS = 1_700_000_000_000

let peer: Peer
let closePage: () => Promise<void>
let plain: Transport
let tus: Transport
let transportFor: typeof import('#ui/uploads/choose-transport.ts').transportFor
let parseMetadata: typeof import('#ui/uploads/tus.ts').parseMetadata

beforeAll(async () => {
  await useBrowserTus()
  peer = startPeer()
  closePage = openPage(peer.origin)
  ;({ plain } = await import('#ui/uploads/plain.ts'))
  ;({ tus, parseMetadata } = await import('#ui/uploads/tus.ts'))
  ;({ transportFor } = await import('#ui/uploads/choose-transport.ts'))
})

afterAll(async () => {
  await closePage()
  await peer.stop()
})

beforeEach(() => localStorage.setItem('jwt', peer.token))

afterEach(() => {
  peer.intercept = () => undefined
  for (const store of [peer.files, peer.begun]) store.clear()
  peer.calls.length = 0
})

function uploadOf(size: number, path = '/a b#%.bin', override = false): Upload {
  const bytes = new Uint8Array(size).map((_, at) => at % 251)
  const file = new File([bytes], path.slice(1), { lastModified: MODIFIED_MS })
  return { file, path: parsePath(path), relativePath: path.slice(1), override }
}

interface Callbacks {
  started: number[]
  accepted: number[]
  entries: number[]
}

function attemptOf(
  seen: Callbacks = { started: [], accepted: [], entries: [] },
  rest: Partial<Attempt> = {},
): Attempt {
  return {
    signal: new AbortController().signal,
    settings: { chunkSize: CHUNK, retryCount: 3 },
    onStart: (bytes) => seen.started.push(bytes),
    onSent: () => {},
    onAccepted: (bytes) => seen.accepted.push(bytes),
    onJournalEntry: (entry) => seen.entries.push(entry),
    ...rest,
  }
}

/** The code of the fault that `sending` ends with. */
function codeOf(sending: Promise<void>): Promise<string | undefined> {
  return sending.then(
    () => undefined,
    (error) => (isFault(error) ? error.code : String(error)),
  )
}

describe('every transport', () => {
  test.each(['plain', 'tus'])(
    'the transport %s sends the content, the name and the modification time',
    async (way) => {
      const upload = uploadOf(3 * CHUNK + 17)
      await (way === 'tus' ? tus : plain).send(upload, attemptOf())
      const stored = peer.files.get(upload.path)
      expect(Bun.hash(stored?.bytes ?? '')).toBe(Bun.hash(await upload.file.arrayBuffer()))
      expect(stored?.modifiedMs).toBe(MODIFIED_MS)
    },
  )

  test.each(['plain', 'tus'])(
    'the transport %s reports the journal entry after the file is complete',
    async (way) => {
      const seen: Callbacks = { started: [], accepted: [], entries: [] }
      await (way === 'tus' ? tus : plain).send(uploadOf(3 * CHUNK + 17), attemptOf(seen))
      expect(seen.entries).toEqual([peer.entries.length])
    },
  )

  test.each(['plain', 'tus'])('the transport %s sends an empty file', async (way) => {
    await (way === 'tus' ? tus : plain).send(uploadOf(0), attemptOf())
    expect(peer.files.get('/a b#%.bin')?.bytes).toHaveLength(0)
  })

  test.each(['plain', 'tus'])(
    'the transport %s replaces an existing file only with override',
    async (way) => {
      const transport = way === 'tus' ? tus : plain
      await transport.send(uploadOf(3), attemptOf())
      expect(await codeOf(transport.send(uploadOf(5), attemptOf()))).toBe('conflict')
      expect(peer.files.get('/a b#%.bin')?.bytes).toHaveLength(3)
      await transport.send(uploadOf(5, '/a b#%.bin', true), attemptOf())
      expect(peer.files.get('/a b#%.bin')?.bytes).toHaveLength(5)
    },
  )

  test.each(['plain', 'tus'])(
    'the transport %s distinguishes an expired session from a proxy without a server',
    async (way) => {
      const transport = way === 'tus' ? tus : plain
      localStorage.setItem('jwt', 'old')
      expect(await codeOf(transport.send(uploadOf(3), attemptOf()))).toBe('unauthenticated')
      peer.intercept = () => refusal(502)
      expect(await codeOf(transport.send(uploadOf(3), attemptOf()))).toBe('unavailable')
    },
  )

  test.each(['plain', 'tus'])('the transport %s ends when it is aborted', async (way) => {
    const abort = new AbortController()
    const reached = Promise.withResolvers<void>()
    peer.intercept = () => {
      reached.resolve()
      return new Promise(() => {})
    }
    const transport = way === 'tus' ? tus : plain
    const sending = codeOf(
      transport.send(uploadOf(3), attemptOf(undefined, { signal: abort.signal })),
    )
    await reached.promise
    abort.abort()
    expect(await sending).toBe('aborted')
  })
})

describe('tus', () => {
  test('tus requests the offset of an earlier page, and sends only the rest', async () => {
    const upload = uploadOf(3 * CHUNK)
    peer.intercept = (_, call) =>
      call.startsWith('PATCH') && peer.begun.get(upload.path)?.bytes.length === 2 * CHUNK
        ? refusal(500)
        : undefined
    expect(await codeOf(tus.send(upload, attemptOf()))).toBe('internal')
    peer.intercept = () => undefined
    peer.calls.length = 0
    const seen: Callbacks = { started: [], accepted: [], entries: [] }
    await tus.send(uploadOf(3 * CHUNK), attemptOf(seen))
    expect(seen).toEqual({
      started: [2 * CHUNK],
      accepted: [3 * CHUNK],
      entries: [peer.entries.length],
    })
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toEqual([])
    expect(peer.files.get(upload.path)?.bytes).toHaveLength(3 * CHUNK)
  })

  test('tus does not resume with another file of the same name', async () => {
    const upload = uploadOf(2 * CHUNK)
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(500) : undefined)
    await codeOf(tus.send(upload, attemptOf()))
    peer.intercept = () => undefined
    peer.calls.length = 0
    const other = new File([new Uint8Array(2 * CHUNK)], upload.file.name, { lastModified: 1 })
    await tus.send({ ...upload, file: other }, attemptOf())
    expect(peer.calls).toContain('POST /api/tus/a b#%.bin')
    expect(peer.files.get(upload.path)?.modifiedMs).toBe(1)
  })

  test('tus requests the offset before every file, because an earlier page may have started it', async () => {
    await tus.send(uploadOf(CHUNK - 1, '/b'), attemptOf())
    expect(peer.calls[0]).toBe('HEAD /api/tus/b')
  })

  test('tus treats a different offset as a temporary failure', async () => {
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(409, 'conflict') : undefined)
    expect(await codeOf(tus.send(uploadOf(CHUNK), attemptOf()))).toBe('locked')
  })

  test('tus deletes a discarded upload on the server', async () => {
    const upload = uploadOf(2 * CHUNK)
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(500) : undefined)
    await codeOf(tus.send(upload, attemptOf()))
    expect(peer.begun.has(upload.path)).toBe(true)
    await tus.discard(upload)
    expect(peer.begun.has(upload.path)).toBe(false)
  })

  test('tus parses metadata of any language, and ignores invalid data', () => {
    const header = `filename ${Buffer.from('نص.txt').toString('base64')}, empty ,bad %%%`
    expect([...parseMetadata(header)]).toEqual([
      ['filename', 'نص.txt'],
      ['empty', ''],
    ])
  })
})

test('small files, and servers without tus, use plain requests', () => {
  const settings = { chunkSize: CHUNK, retryCount: 3 }
  expect(transportFor(uploadOf(CHUNK).file, settings)).toBe(tus)
  expect(transportFor(uploadOf(CHUNK - 1).file, settings)).toBe(plain)
  expect(transportFor(uploadOf(CHUNK).file, undefined)).toBe(plain)
})
