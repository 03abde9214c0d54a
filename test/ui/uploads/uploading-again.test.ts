/**
 * Uploads to a server that lies: it reports bytes that this upload has not sent, or does not have them afterwards. A task is
 * done only if the server has the file as the task has sent it.
 */
import { describe, expect, test } from 'bun:test'
import { subscribe } from 'valtio'
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import type { UploadTask } from '#ui/uploads/queue/tasks.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { shownEnd } from './browser.ts'
import { refusal, type Stored } from './peer.ts'
import { CHUNK, openQueuePage, peer, prompts, queue, settings, signals } from './queue-page.ts'

const MODIFIED_MS = 1_700_000_000_000
const SIZE = 2 * CHUNK
const SMALL = 1000

openQueuePage()

/** A file with this byte everywhere. Files of the same name and size look the same from outside. */
function pick(name: string, size: number, byte: number): FilePick {
  const file = new File([new Uint8Array(size).fill(byte)], name, { lastModified: MODIFIED_MS })
  return { file, path: name, isDir: false }
}
const stored = (size: number, byte: number, modifiedMs = MODIFIED_MS): Stored => ({
  bytes: new Uint8Array(size).fill(byte),
  modifiedMs,
})
/** The byte of which a file on the server consists, and its size. */
const onServer = (path: string) => {
  const bytes = peer.files.get(path)?.bytes
  return bytes && [new Set(bytes).size === 1 ? bytes[0] : 'mixed', bytes.length]
}

/** Uploads a file and replaces the existing one, if there is one. */
async function upload(picked: FilePick): Promise<void> {
  const stop = subscribe(prompts.prompts, () => {
    const asked = prompts.prompts.stack[0]
    if (asked?.question.name === 'collision') prompts.answer(asked.id, ['replace'])
  })
  await shownEnd(queue.uploadFiles([picked], ROOT))
  stop()
}

const task = (): UploadTask | undefined => signals.rows.value.filter((row) => 'id' in row)[0]
/** `done`, or the kind of error with which the only task failed. */
function end(): string {
  const { state, error } = task() ?? {}
  return state === 'failed' && error instanceof Error ? error.name : `${state}`
}

/** Answers requests for the state of an upload as a finished one of the same file, whatever became of it. */
function reportFinished(): void {
  let metadata = ''
  const { intercept } = peer
  peer.intercept = async (request, call) => {
    if (call.startsWith('POST /api/tus/')) metadata = request.headers.get('Upload-Metadata') ?? ''
    if (!call.startsWith('HEAD /api/tus/') || metadata === '') return intercept(request, call)
    const length = String(SIZE)
    const headers = {
      'Upload-Offset': length,
      'Upload-Length': length,
      'Upload-Metadata': metadata,
    }
    return new Response(null, { headers })
  }
}

describe('a server that reports a finished upload @spec-8.9', () => {
  test('a file that was uploaded and then deleted is sent again', async () => {
    reportFinished()
    await upload(pick('a.bin', SIZE, 1))
    peer.files.delete('/a.bin')
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
  })

  test('a file that was uploaded and then replaced by others is sent again, if it shall replace that', async () => {
    reportFinished()
    await upload(pick('a.bin', SIZE, 1))
    peer.files.set('/a.bin', stored(19, 9))
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
  })

  test('a changed file with the same size and time as the uploaded one is sent', async () => {
    reportFinished()
    await upload(pick('a.bin', SIZE, 1))
    await upload(pick('a.bin', SIZE, 2))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [2, SIZE]])
  })

  test('an upload whose bytes were refused is not done because the server reports it as finished', async () => {
    let isRefused = true
    peer.intercept = (_, call) => (call.startsWith('PATCH') && isRefused ? refusal(500) : undefined)
    reportFinished()
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['NotAsSentError', undefined])
    // The next try sends the whole file.
    isRefused = false
    void queue.retryUpload(task()?.id ?? 0)
    while (signals.phase.value !== 'done') await Bun.sleep(1)
    expect(onServer('/a.bin')).toEqual([1, SIZE])
  })
})

describe('a server that does not have the file after its last byte @spec-8.9', () => {
  test.each<[string, (path: string) => unknown]>([
    ['nothing', (path) => peer.files.delete(path)],
    ['a shorter file', (path) => peer.files.set(path, stored(SIZE - 1, 1))],
    ['other content', (path) => peer.files.set(path, stored(SIZE, 9))],
    ['an older file of the same size', (path) => peer.files.set(path, stored(SIZE, 9, 0))],
    [
      'a folder',
      (path) => {
        peer.files.delete(path)
        peer.folders.add(path)
      },
    ],
  ])('an upload fails if the server then has %s at the path', async (_, change) => {
    // Changed by another user after the response to the last byte.
    peer.intercept = (request, call) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/resources/a.bin' && peer.finished.size > 0) change('/a.bin')
      return void call
    }
    await upload(pick('a.bin', SIZE, 1))
    peer.folders.delete('/a.bin')
    expect(end()).toBe('NotAsSentError')
  })

  test('an upload is done if only the version of the file has changed', async () => {
    peer.intercept = (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/resources/a.bin') peer.files.set('/a.bin', stored(SIZE, 1))
      return undefined
    }
    await upload(pick('a.bin', SIZE, 1))
    expect(end()).toBe('done')
  })

  test('an upload is done if the file system does not store the time of the file', async () => {
    peer.intercept = (request) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/api/resources/a.bin') peer.files.set('/a.bin', stored(SIZE, 1, 5))
      return undefined
    }
    await upload(pick('a.bin', SIZE, 1))
    expect(end()).toBe('done')
  })

  test('an upload does not end while it is not known whether the server has the file', async () => {
    let failures = 0
    peer.intercept = (request, call) => {
      const { pathname } = new URL(request.url)
      const fails = pathname === '/api/resources/a.bin' && failures === 0
      if (fails) failures += 1
      return fails ? refusal(500, 'internal') : void call
    }
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), failures]).toEqual(['done', 1])
    expect(peer.calls.filter((call) => call.startsWith('PATCH'))).toHaveLength(3)
  })
})

describe('uploads that this browser has begun', () => {
  /** Leaves an upload after its first part, as a closed page does. */
  async function leave(): Promise<void> {
    settings.settings.TusSettings = { chunkSize: CHUNK, retryCount: 0 }
    peer.intercept = (_, call) =>
      call.startsWith('PATCH') && peer.begun.get('/a.bin')?.bytes.length === CHUNK
        ? refusal(500)
        : undefined
    await upload(pick('a.bin', SIZE, 1))
    expect(end()).toBe('Fault')
    signals.clearTasks()
    peer.intercept = () => undefined
    peer.calls.length = 0
  }

  test('an upload of an earlier page is continued by a new upload of the same file', async () => {
    await leave()
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
    // The rest, and the last bytes after a check.
    expect(peer.calls.filter((call) => /^(POST|PATCH)/.test(call))).toEqual([
      'PATCH /api/tus/a.bin',
      'PATCH /api/tus/a.bin',
    ])
  })

  test('an upload of an earlier page is begun again if the file has another content now', async () => {
    await leave()
    // The size, the name and the time are the same.
    await upload(pick('a.bin', SIZE, 2))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [2, SIZE]])
    expect(peer.calls).toContain('POST /api/tus/a.bin')
  })

  test('an upload of an earlier page is begun again if the server has lost it', async () => {
    await leave()
    peer.begun.clear()
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
  })

  test('a file is sent again although an earlier page has sent its last byte before it was closed', async () => {
    await leave()
    const begun = peer.begun.get('/a.bin')
    if (!begun) throw new Error('The upload is missing.')
    const file = stored(SIZE, 1)
    peer.begun.clear()
    peer.finished.set(begun.id, { ...begun, bytes: file.bytes, file })
    peer.files.set('/a.bin', file)
    await upload(pick('a.bin', SIZE, 1))
    expect(end()).toBe('done')
    expect(peer.calls.filter((call) => /^(POST|PATCH)/.test(call))).toHaveLength(4)
  })

  test('two uploads of the page to one path send their own bytes', async () => {
    const held = Promise.withResolvers<void>()
    peer.intercept = async (_, call) => {
      if (call.startsWith('PATCH') && peer.calls.filter((one) => one === call).length === 1)
        await held.promise
      return undefined
    }
    const first = queue.uploadFiles([pick('a.bin', SIZE, 1)], ROOT)
    while (!peer.calls.includes('PATCH /api/tus/a.bin')) await Bun.sleep(1)
    const { file } = pick('a.bin', SIZE, 2)
    if (!file) throw new Error('The file cannot be read.')
    // A resumed upload keeps the path that was decided when it began.
    const second = queue.resumeUploads([
      { file, path: parsePath('/a.bin'), relativePath: 'a.bin', override: false },
    ])
    while (peer.calls.filter((call) => call.startsWith('POST')).length < 2) await Bun.sleep(1)
    held.resolve()
    await shownEnd(Promise.all([first, second]))
    expect(onServer('/a.bin')?.[0]).toBeNumber()
  })

  test('a failed upload whose name is being sent again asks before it is retried', async () => {
    peer.intercept = (_, call) => (call.startsWith('POST') ? refusal(403, 'forbidden') : undefined)
    await shownEnd(queue.uploadFiles([pick('a.bin', SMALL, 1)], ROOT))
    const failed = task()
    const held = Promise.withResolvers<void>()
    peer.intercept = async (_, call) => {
      if (call === 'POST /api/resources/a.bin') await held.promise
      return undefined
    }
    const second = queue.uploadFiles([pick('a.bin', SMALL, 2)], ROOT)
    while (peer.calls.filter((call) => call.startsWith('POST')).length < 2) await Bun.sleep(1)
    const stop = subscribe(prompts.prompts, () => {
      const asked = prompts.prompts.stack[0]
      if (asked?.question.name === 'collision') prompts.answer(asked.id, ['keepBoth'])
    })
    const retried = queue.retryUpload(failed?.id ?? 0)
    while (!peer.files.has('/a(1).bin')) await Bun.sleep(1)
    held.resolve()
    await shownEnd(Promise.all([second, retried]))
    stop()
    expect([onServer('/a.bin'), onServer('/a(1).bin')]).toEqual([
      [2, SMALL],
      [1, SMALL],
    ])
  })
})

describe('uploads of others', () => {
  /** An unfinished upload of the same file that another browser of the user has begun. */
  async function beginElsewhere(): Promise<void> {
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `filename ${encode('a.bin')},lastModified ${encode(String(MODIFIED_MS))}`
    await fetch(`${peer.origin}/api/tus/a.bin`, {
      method: 'POST',
      headers: { 'X-Auth': peer.token, 'Upload-Length': `${SIZE}`, 'Upload-Metadata': metadata },
    })
    const begun = peer.begun.get('/a.bin')
    if (begun) begun.bytes = new Uint8Array(CHUNK).fill(9)
  }

  test('an unfinished upload of another browser to the path is not continued', async () => {
    await beginElsewhere()
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
  })

  test('an unfinished upload of another browser is not continued after a failure', async () => {
    let failed = false
    peer.intercept = async (_, call) => {
      if (!call.startsWith('PATCH') || failed) return undefined
      failed = true
      await beginElsewhere()
      return refusal(423, 'locked')
    }
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
  })

  test('cancelling an upload that the server has refused deletes no upload of another browser', async () => {
    await beginElsewhere()
    peer.calls.length = 0
    peer.intercept = (_, call) =>
      call.startsWith('POST /api/tus/') ? refusal(423, 'locked') : undefined
    settings.settings.TusSettings = { chunkSize: CHUNK, retryCount: 5 }
    const uploading = upload(pick('a.bin', SIZE, 1))
    while (!peer.calls.includes('POST /api/tus/a.bin')) await Bun.sleep(1)
    queue.abortAll()
    await uploading
    expect(peer.begun.has('/a.bin')).toBe(true)
  })
})

test('a file of a batch is not done because of the result of another file', async () => {
  peer.intercept = async (request, call) => {
    if (!call.startsWith('POST /api/batch')) return undefined
    const { results } = await (await peer.answer(request)).json()
    peer.files.delete('/3.bin')
    // The file is missing, and the server names another one twice.
    return Response.json({ results: results.with(3, results[4]) })
  }
  const picks = Array.from({ length: 10 }, (_, at) => pick(`${at}.bin`, 10, at))
  await shownEnd(queue.uploadFiles(picks, ROOT))
  expect(signals.phase.value).toBe('done')
  expect(picks.map(({ path }) => onServer(`/${path}`))).toEqual(picks.map((_, at) => [at, 10]))
})

describe('a response that was lost', () => {
  test('an upload whose creation had no response is continued and not begun twice', async () => {
    let lost = 0
    peer.intercept = async (request, call) => {
      if (!call.startsWith('POST /api/tus/') || lost > 0) return undefined
      lost += 1
      await peer.answer(request)
      return refusal(500, 'internal')
    }
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  test('an upload whose last response was lost is done, and sends nothing again', async () => {
    let patches = 0
    peer.intercept = async (request, call) => {
      if (!call.startsWith('PATCH')) return undefined
      patches += 1
      if (patches !== 3) return undefined
      await peer.answer(request)
      return refusal(502)
    }
    await upload(pick('a.bin', SIZE, 1))
    expect([end(), onServer('/a.bin')]).toEqual(['done', [1, SIZE]])
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
    expect(patches).toBe(3)
  })

  test.each([
    ['of its own request', SMALL],
    ['of a batch', 10],
  ])(
    'a file %s replaces one of the same size and time although the first request failed',
    async (_, size) => {
      const count = size === SMALL ? 1 : 10
      const names = Array.from({ length: count }, (_, at) => `${at}.bin`)
      for (const name of names) peer.files.set(`/${name}`, stored(size, 9))
      let failed = false
      peer.intercept = (_, call) => {
        if (failed || !call.startsWith('POST')) return undefined
        failed = true
        return refusal(502)
      }
      const stop = subscribe(prompts.prompts, () => {
        const asked = prompts.prompts.stack[0]
        if (asked?.question.name === 'collision')
          prompts.answer(
            asked.id,
            names.map(() => 'replace'),
          )
      })
      await shownEnd(
        queue.uploadFiles(
          names.map((name) => pick(name, size, 1)),
          ROOT,
        ),
      )
      stop()
      expect(signals.phase.value).toBe('done')
      expect(names.map((name) => onServer(`/${name}`))).toEqual(names.map(() => [1, size]))
    },
  )

  test('a file of the same size and time that somebody else has created is not taken for the sent one', async () => {
    peer.intercept = (_, call) => {
      if (call !== 'POST /api/resources/a.bin' || peer.files.has('/a.bin')) return undefined
      peer.files.set('/a.bin', stored(SMALL, 9))
      return refusal(500)
    }
    await upload(pick('a.bin', SMALL, 1))
    expect([signals.phase.value, onServer('/a.bin')]).toEqual(['ended', [9, SMALL]])
  })

  test('a file of the same size and time is not taken for the sent one if the request was refused', async () => {
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
    peer.intercept = (_, call) => {
      if (call !== 'POST /api/resources/a.bin' || peer.files.has('/a.bin')) return undefined
      peer.files.set('/a.bin', stored(SMALL, 9))
      return refusal(423, 'locked')
    }
    await upload(pick('a.bin', SMALL, 1))
    Reflect.deleteProperty(crypto, 'subtle')
    expect([signals.phase.value, onServer('/a.bin')]).toEqual(['ended', [9, SMALL]])
  })

  test('on a page without checksums, a new file of the same size and time is the sent one, and a replaced one is not', async () => {
    Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true })
    const storeAndFail = async (request: Request, call: string) => {
      if (
        !call.startsWith('POST /api/resources/') ||
        peer.calls.filter((one) => one === call).length > 1
      )
        return undefined
      const { pathname } = new URL(request.url)
      const path = pathname.replace('/api/resources', '')
      if (path === '/new.bin') peer.files.set(path, stored(SMALL, 1))
      return refusal(502)
    }
    peer.intercept = storeAndFail
    await upload(pick('new.bin', SMALL, 1))
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
    peer.files.set('/old.bin', stored(SMALL, 9))
    await upload(pick('old.bin', SMALL, 1))
    Reflect.deleteProperty(crypto, 'subtle')
    expect([onServer('/new.bin'), onServer('/old.bin')]).toEqual([
      [1, SMALL],
      [1, SMALL],
    ])
  })
})
