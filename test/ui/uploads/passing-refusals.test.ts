/** The statuses 409 and 423, after which an upload is tried again (docs/specification.md 8). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Upload } from '#ui/uploads/send/transport.ts'
import { parsePath } from '#wire/paths.ts'
import { openPage, useBrowserTus } from './browser.ts'
import { type Peer, refusal, startPeer } from './peer.ts'

const CHUNK = 1024 * 1024
const BYTES = new Uint8Array(3 * CHUNK + 5).map((_, at) => at % 251)

let peer: Peer
let closePage: () => Promise<void>
let runTask: typeof import('#ui/uploads/queue/run-task.ts').runTask
let createTask: typeof import('#ui/uploads/queue/tasks.ts').createTask
let session: typeof import('#ui/state/session/session.ts').session
let settings: typeof import('#ui/state/session/settings.ts').settings

beforeAll(async () => {
  await useBrowserTus()
  peer = startPeer()
  closePage = openPage(peer.origin)
  ;({ runTask } = await import('#ui/uploads/queue/run-task.ts'))
  ;({ createTask } = await import('#ui/uploads/queue/tasks.ts'))
  ;({ session } = await import('#ui/state/session/session.ts'))
  ;({ settings } = await import('#ui/state/session/settings.ts'))
})

afterAll(async () => {
  session.user = null
  await closePage()
  await peer.stop()
})

beforeEach(() => {
  localStorage.setItem('jwt', peer.token)
  // Uploads only read the id of the user.
  session.user = { id: 7 } as never
  settings.TusSettings = { chunkSize: CHUNK, retryCount: 1 }
})

afterEach(() => {
  peer.intercept = () => undefined
  for (const store of [peer.files, peer.begun, peer.finished]) store.clear()
  peer.calls.length = 0
})

function task() {
  const file = new File([BYTES], 'a.bin', { lastModified: 1_700_000_000_000 })
  const upload: Upload = { file, path: parsePath('/a.bin'), relativePath: 'a.bin', override: false }
  return createTask({ path: upload.path, upload, userId: 7 })
}

/** Refuses one tus request with this method: the one that follows `after` others. */
function refuseOnce(method: string, after: number, answer: () => Response): void {
  let seen = 0
  peer.intercept = (_, call) => {
    if (!call.startsWith(`${method} /api/tus/`)) return undefined
    seen += 1
    return seen === after + 1 ? answer() : undefined
  }
}

const arrived = () => Buffer.from(peer.files.get('/a.bin')?.bytes ?? []).equals(BYTES)

describe('an upload continues', () => {
  test.each([
    ['PATCH', 0, 409, 'conflict'],
    ['PATCH', 0, 409, undefined],
    ['PATCH', 2, 409, 'conflict'],
    ['PATCH', 2, 423, 'locked'],
    ['PATCH', 1, 423, undefined],
    ['PATCH', 3, 409, 'conflict'],
    ['POST', 0, 423, 'locked'],
    ['POST', 0, 423, undefined],
  ] as const)(
    'an upload continues after %s number %i returns %i with the fault %p',
    async (method, after, status, fault) => {
      refuseOnce(method, after, () => refusal(status, fault))
      await runTask(task())
      expect(arrived()).toBe(true)
    },
  )

  test.each([
    [423, 'locked'],
    [409, undefined],
  ] as const)(
    'an upload continues after a PATCH and the HEAD after it return %i with the fault %p',
    async (status, fault) => {
      settings.TusSettings = { chunkSize: CHUNK, retryCount: 2 }
      const refused = new Set<string>()
      peer.intercept = (_, call) => {
        const [method = ''] = call.split(' ')
        const isRefused = /^(PATCH|HEAD) \/api\/tus/.test(call) && !refused.has(method)
        refused.add(method)
        return isRefused ? refusal(status, fault) : undefined
      }
      await runTask(task())
      expect(arrived()).toBe(true)
      expect(peer.calls.filter((call) => call.startsWith('HEAD /api/tus')).length).toBe(
        status === 423 ? 2 : 1,
      )
    },
  )

  test('an upload continues at the server’s offset, even if it is another than reported before', async () => {
    // A proxy has cached the response, or the server has lost bytes that were not on the disk yet.
    const lose = () => {
      const begun = peer.begun.get('/a.bin')
      if (begun) begun.bytes = begun.bytes.slice(0, 1234)
      return undefined as never
    }
    refuseOnce('PATCH', 2, lose)
    await runTask(task())
    expect(arrived()).toBe(true)
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  test('an upload does not restart if the server fails to report its offset', async () => {
    settings.TusSettings = { chunkSize: CHUNK, retryCount: 2 }
    let failures = 0
    peer.intercept = (_, call) => {
      const partial = peer.begun.get('/a.bin')?.bytes.length === CHUNK
      const fails = partial && /^(PATCH|HEAD)/.test(call) && failures < 2
      if (fails) failures += 1
      return fails ? refusal(500, 'internal') : undefined
    }
    await runTask(task())
    expect(arrived()).toBe(true)
    expect(failures).toBe(2)
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  test('the number of tries starts again after bytes were accepted', async () => {
    let patches = 0
    peer.intercept = (_, call) => {
      if (!call.startsWith('PATCH')) return undefined
      patches += 1
      return patches % 2 === 0 ? refusal(409, 'conflict') : undefined
    }
    await runTask(task())
    expect(arrived()).toBe(true)
  })
})
