import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { BegunUpload } from '#ui/uploads/send/begun-upload.ts'
import type { Attempt, Transport, Upload } from '#ui/uploads/send/transport.ts'
import { isFault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { openPage, useBrowserTus } from '../browser.ts'
import { type Peer, refusal, startPeer } from '../peer.ts'

const CHUNK = 1024 * 1024
const MODIFIED_MS = 1_700_000_000_000

let peer: Peer
let closePage: () => Promise<void>
let plain: Transport
let tus: Transport
let transportFor: typeof import('#ui/uploads/send/choose-transport.ts').transportFor
let parseMetadata: typeof import('#ui/uploads/send/begun-upload.ts').parseMetadata

beforeAll(async () => {
  await useBrowserTus()
  peer = startPeer()
  closePage = openPage(peer.origin)
  ;({ plain } = await import('#ui/uploads/send/plain.ts'))
  ;({ tus } = await import('#ui/uploads/send/tus.ts'))
  ;({ parseMetadata } = await import('#ui/uploads/send/begun-upload.ts'))
  ;({ transportFor } = await import('#ui/uploads/send/choose-transport.ts'))
})

afterAll(async () => {
  await closePage()
  await peer.stop()
})

beforeEach(() => localStorage.setItem('jwt', peer.token))

afterEach(() => {
  peer.intercept = () => undefined
  for (const store of [peer.files, peer.begun, peer.finished]) store.clear()
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
  begun: (BegunUpload | undefined)[]
}

const nothingSeen = (): Callbacks => ({ started: [], accepted: [], entries: [], begun: [] })

function attemptOf(seen = nothingSeen(), rest: Partial<Attempt> = {}): Attempt {
  return {
    signal: new AbortController().signal,
    settings: { chunkSize: CHUNK, retryCount: 3 },
    isFirst: true,
    onBegun: (begun) => seen.begun.push(begun),
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
      const seen = nothingSeen()
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
    const before = nothingSeen()
    expect(await codeOf(tus.send(upload, attemptOf(before)))).toBe('internal')
    peer.intercept = () => undefined
    peer.calls.length = 0
    const seen = nothingSeen()
    const begun = before.begun.at(-1)
    await tus.send({ ...uploadOf(3 * CHUNK), begun }, attemptOf(seen))
    expect(begun?.id).toBeString()
    expect(seen).toMatchObject({
      started: [2 * CHUNK],
      accepted: [3 * CHUNK - UI_LIMITS.uploadTailBytes, 3 * CHUNK],
      entries: [peer.entries.length],
    })
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toEqual([])
    expect(peer.files.get(upload.path)?.bytes).toHaveLength(3 * CHUNK)
  })

  test('tus does not resume with another file of the same name', async () => {
    const upload = uploadOf(2 * CHUNK)
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(500) : undefined)
    const seen = nothingSeen()
    await codeOf(tus.send(upload, attemptOf(seen)))
    peer.intercept = () => undefined
    peer.calls.length = 0
    const other = new File([new Uint8Array(2 * CHUNK)], upload.file.name, { lastModified: 1 })
    await tus.send({ ...upload, file: other, begun: seen.begun.at(-1) }, attemptOf())
    expect(peer.calls).toContain('POST /api/tus/a b#%.bin')
    expect(peer.files.get(upload.path)?.modifiedMs).toBe(1)
  })

  test('tus requests no offset for a file whose upload this browser has not begun', async () => {
    await tus.send(uploadOf(CHUNK - 1, '/b'), attemptOf())
    expect(peer.calls.filter((call) => call.includes('/api/tus/'))).toEqual([
      'POST /api/tus/b',
      'PATCH /api/tus/b',
      'PATCH /api/tus/b',
    ])
  })

  test.each([
    ['other', undefined],
    ['other', 'own'],
  ])('tus does not resume an upload with another key than %s (id %p)', async (key, id) => {
    const seen = nothingSeen()
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(500) : undefined)
    const upload = uploadOf(2 * CHUNK, '/b', true)
    await codeOf(tus.send(upload, attemptOf(seen)))
    peer.intercept = () => undefined
    peer.calls.length = 0
    const begun = { key, id: id && seen.begun.at(-1)?.id }
    await tus.send({ ...upload, begun }, attemptOf(nothingSeen(), { isFirst: false }))
    expect(peer.calls.slice(0, 2)).toEqual(['HEAD /api/tus/b', 'POST /api/tus/b'])
  })

  test('a new task sends a file again although an earlier one has finished its upload, and the same task does not', async () => {
    const seen = nothingSeen()
    const upload = uploadOf(2 * CHUNK, '/b', true)
    await tus.send(upload, attemptOf(seen))
    const again = { ...upload, begun: seen.begun.at(-1) }
    peer.calls.length = 0
    await tus.send(again, attemptOf(nothingSeen(), { isFirst: false }))
    expect(peer.calls).toEqual(['HEAD /api/tus/b', 'HEAD /api/resources/b'])
    await tus.send(again, attemptOf())
    expect(peer.calls).toContain('POST /api/tus/b')
  })

  test('tus stores the key before the upload begins, and its id as soon as the server has returned it', async () => {
    const seen = nothingSeen()
    peer.intercept = (_, call) => {
      if (call.startsWith('POST')) expect(seen.begun).toEqual([{ key: expect.any(String) }])
      return undefined
    }
    await tus.send(uploadOf(CHUNK, '/b'), attemptOf(seen))
    const key = seen.begun[0]?.key ?? ''
    expect(key).toMatch(/^[\da-f]{32}$/)
    expect(seen.begun[1]).toEqual({ key, id: [...peer.finished.keys()][0] })
  })

  test('tus treats a different offset as a temporary failure', async () => {
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(409, 'conflict') : undefined)
    expect(await codeOf(tus.send(uploadOf(CHUNK), attemptOf()))).toBe('locked')
  })

  test('tus deletes a discarded upload on the server', async () => {
    const upload = uploadOf(2 * CHUNK)
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? refusal(500) : undefined)
    const seen = nothingSeen()
    await codeOf(tus.send(upload, attemptOf(seen)))
    await tus.discard(upload)
    expect(peer.begun.has(upload.path)).toBe(true)
    await tus.discard({ ...upload, begun: seen.begun.at(-1) })
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
