import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { subscribe } from 'valtio'
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import type { ConflictChoice } from '#ui/state/dialogs/prompts.ts'
import type { TaskState, UploadTask } from '#ui/uploads/queue/tasks.ts'
import { isFault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { shownEnd } from '../browser.ts'
import { refusal } from '../peer.ts'
import { CHUNK, openQueuePage, peer, prompts, queue, session, signals } from '../queue-page.ts'

const MODIFIED_MS = 1_700_000_000_000

openQueuePage()

let selection: typeof import('#ui/state/folder/selection.ts')
let connection: typeof import('#ui/state/session/connection.ts')
let health: typeof import('#ui/api/client/health.ts').health

beforeAll(async () => {
  selection = await import('#ui/state/folder/selection.ts')
  connection = await import('#ui/state/session/connection.ts')
  ;({ health } = await import('#ui/api/client/health.ts'))
  connection.watchConnection()
})

beforeEach(() => selection.clearSelection())

function pick(path: string, content: string | number = path): FilePick {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const body = typeof content === 'number' ? new Uint8Array(content) : content
  return { file: new File([body], name, { lastModified: MODIFIED_MS }), path, isDir: false }
}

function folder(path: string): FilePick {
  return { file: null, path, isDir: true }
}

function stored(): string[] {
  return [...peer.files.keys()].sort()
}

function text(path: string): string {
  return new TextDecoder().decode(peer.files.get(path)?.bytes)
}

/** The first task that reaches a state. */
function reaching(state: TaskState): Promise<UploadTask> {
  return new Promise((resolve) => {
    const stop = signals.rows.subscribe((rows) => {
      const task = rows.filter((row) => 'id' in row).find((row) => row.shown.value.state === state)
      if (task) queueMicrotask(() => [stop(), resolve(task)])
    })
  })
}

/** Answers the next question about collisions; resolves to the names it was asked about. */
function decideNext(...decisions: ConflictChoice[]): Promise<string[]> {
  return new Promise((resolve) => {
    const look = () => {
      const asked = prompts.prompts.stack[0]
      if (asked?.question.name !== 'collision') return
      stop()
      resolve(asked.question.conflicts.map((conflict) => conflict.name))
      prompts.answer(asked.id, decisions)
    }
    const stop = subscribe(prompts.prompts, look)
    look()
  })
}

describe('an upload', () => {
  test('an upload creates files and folders, including empty ones, folders first', async () => {
    const picks = [folder('photos'), folder('photos/empty'), pick('photos/a.jpg'), pick('b.txt')]
    await shownEnd(queue.uploadFiles(picks, parsePath('/docs')))
    expect(stored()).toEqual(['/docs/b.txt', '/docs/photos/a.jpg'])
    expect(peer.folders).toContain('/docs/photos/empty')
    const posts = peer.calls.filter((call) => call.startsWith('POST'))
    expect(posts[0]).toBe('POST /api/resources/docs/photos/empty/')
  })

  test('an upload sends at most five files at once @spec-4.2', async () => {
    const full = Promise.withResolvers<void>()
    let waiting = 0
    peer.intercept = async (_, call) => {
      if (!call.startsWith('POST')) return undefined
      waiting += 1
      if (waiting === 5) full.resolve()
      await full.promise
      return undefined
    }
    const picks = Array.from({ length: 20 }, (_, at) => pick(`${at}.bin`, 300_000))
    await shownEnd(queue.uploadFiles(picks, ROOT))
    expect(stored()).toHaveLength(20)
    expect(peer.busiest).toBe(5)
  })

  test('the totals of an upload count its uploaded and failed files', async () => {
    peer.intercept = (_, call) => (call.endsWith('bad.txt') ? refusal(403, 'forbidden') : undefined)
    await shownEnd(queue.uploadFiles([pick('good.txt', 'four'), pick('bad.txt', 'four')], ROOT))
    expect(signals.totals.value).toMatchObject({ files: 2, done: 1, failed: 1, totalBytes: 8 })
    expect(signals.phase.value).toBe('ended')
  })

  test('an upload reloads the listing and selects the new entries', async () => {
    await shownEnd(queue.uploadFiles([pick('new.txt'), pick('photos/a.jpg')], ROOT))
    expect([...selection.selection.paths].sort()).toEqual(['/new.txt', '/photos'])
  })

  test('an upload reports files that the browser cannot open', async () => {
    await shownEnd(queue.uploadFiles([{ file: null, path: 'locked.db', isDir: false }], ROOT))
    const [row] = signals.rows.value.filter((one) => 'id' in one)
    expect(row?.path).toBe(parsePath('/locked.db'))
    expect(row?.shown.value.state).toBe('failed')
  })
})

describe('what the browser cannot read', () => {
  const error = new DOMException('', 'NotFoundError')

  test('a folder that cannot be read to its end has failed, whatever arrives of it', async () => {
    const inner = { ...folder('trip/inner'), error }
    await shownEnd(queue.uploadFiles([folder('trip'), inner, pick('trip/a.jpg')], ROOT))
    const rows = signals.rows.value.map((row) =>
      'id' in row ? [row.path, row.error?.constructor.name] : [row.group, row.shown.value.state],
    )
    expect(rows).toEqual([
      ['/trip', 'failed'],
      ['/trip/inner', 'UnreadableFolderError'],
    ])
    expect(signals.totals.value).toMatchObject({ files: 1, done: 1, failed: 1, failedFolders: 1 })
    expect([signals.phase.value, stored()]).toEqual(['ended', ['/trip/a.jpg']])
  })

  test('a file that cannot be opened counts as a file of its folder that is not uploaded', async () => {
    const locked = { file: null, path: 'trip/b.jpg', isDir: false, error }
    await shownEnd(queue.uploadFiles([folder('trip'), locked, pick('trip/a.jpg')], ROOT))
    const [group] = signals.rows.value.filter((row) => !('id' in row))
    expect(group?.shown.value).toMatchObject({ state: 'failed', files: 2, done: 1 })
    expect(signals.totals.value).toMatchObject({ files: 2, done: 1, failed: 1, failedFolders: 0 })
  })

  test('a folder of which nothing can be read has one row, which has failed', async () => {
    await shownEnd(queue.uploadFiles([{ ...folder('trip'), error }], ROOT))
    expect(signals.rows.value).toHaveLength(1)
    expect(signals.phase.value).toBe('ended')
  })
})

describe('name collisions', () => {
  beforeEach(() => {
    for (const path of ['/a.txt', '/b.txt', '/c.txt', '/in/d.txt']) {
      peer.files.set(path, { bytes: new TextEncoder().encode('old'), modifiedMs: 0 })
    }
    peer.folders.add('/in')
  })

  test('name collisions are asked about once, including nested ones, and each decision is applied', async () => {
    const picks = [pick('a.txt'), pick('b.txt'), pick('c.txt'), pick('in/d.txt'), pick('e.txt')]
    const uploading = queue.uploadFiles(picks, ROOT)
    const asked = await decideNext('replace', 'keepBoth', 'skip', 'keepBoth')
    await shownEnd(uploading)
    expect(asked).toEqual(['a.txt', 'b.txt', 'c.txt', 'in/d.txt'])
    expect(stored()).toEqual(
      ['/a.txt', '/b(1).txt', '/b.txt', '/c.txt', '/e.txt', '/in/d(1).txt', '/in/d.txt'].sort(),
    )
    expect([text('/a.txt'), text('/b.txt'), text('/c.txt')]).toEqual(['a.txt', 'old', 'old'])
  })

  test('names that look the same collide, and what is there keeps its spelling; accents and case are other names', async () => {
    const [mac, windows] = ['U\u0308bung', 'Übung']
    peer.folders.add(`/${mac}`)
    for (const path of [`/${mac}/${mac}.txt`, '/cafe']) {
      peer.files.set(path, { bytes: new TextEncoder().encode('old'), modifiedMs: 0 })
    }
    const picks = [pick(`${windows}/${windows}.txt`), pick('café'), pick('Cafe')]
    const uploading = queue.uploadFiles(picks, ROOT)
    expect(await decideNext('replace')).toEqual([`${windows}/${windows}.txt`])
    await shownEnd(uploading)
    const own = stored().filter((path) => /bung|caf/i.test(path))
    expect(own).toEqual([`/${mac}/${mac}.txt`, '/Cafe', '/cafe', '/café'].sort())
    expect(text(`/${mac}/${mac}.txt`)).toBe(`${windows}/${windows}.txt`)
  })

  test('a new name for a file is free among the uploaded files, too', async () => {
    const uploading = queue.uploadFiles([pick('a.txt'), pick('a(1).txt')], ROOT)
    await decideNext('keepBoth')
    await shownEnd(uploading)
    expect(text('/a(1).txt')).toBe('a(1).txt')
    expect(text('/a(2).txt')).toBe('a.txt')
  })

  test('a folder whose name belongs to a file is renamed, or skipped with its content', async () => {
    const picks = [folder('a.txt'), pick('a.txt/x'), folder('b.txt'), pick('b.txt/y')]
    const uploading = queue.uploadFiles(picks, ROOT)
    expect(await decideNext('keepBoth', 'skip')).toEqual(['a.txt', 'b.txt'])
    await shownEnd(uploading)
    expect(stored()).toContain('/a.txt(1)/x')
    expect(stored().some((path) => path.endsWith('/y'))).toBe(false)
  })

  test('files of one name do not replace each other: only the first may replace what is there', async () => {
    const twins = ['new', 'newer', 'newest'].map((content) => pick('a.txt', content))
    const fresh = ['one', 'two'].map((content) => pick('x.txt', content))
    const uploading = queue.uploadFiles([...twins, ...fresh], ROOT)
    // About names that only the upload has, nobody is asked.
    expect(await decideNext('replace', 'keepBoth', 'skip')).toEqual(['a.txt', 'a.txt', 'a.txt'])
    await shownEnd(uploading)
    const texts = ['/a.txt', '/a(1).txt', '/a(2).txt', '/x.txt', '/x(1).txt'].map(
      (path) => peer.files.has(path) && text(path),
    )
    expect(texts).toEqual(['new', 'newer', false, 'one', 'two'])
  })

  test('both spellings of a new folder are one folder, and its files of one name stay', async () => {
    const [mac, windows] = ['U\u0308bung', 'Übung']
    const picks = [pick(`${mac}/x.txt`, 'mac'), pick(`${windows}/x.txt`, 'windows')]
    await shownEnd(queue.uploadFiles(picks, ROOT))
    expect(stored().filter((path) => path.endsWith('x.txt') || path.includes('x('))).toEqual([
      `/${mac}/x(1).txt`,
      `/${mac}/x.txt`,
    ])
    expect(text(`/${mac}/x(1).txt`)).toBe('windows')
  })

  test('names that differ in case only are one name where the disk ignores case, also in a new folder', async () => {
    peer.foldsCase = true
    const picks = ['New/Photo.jpg', 'New/photo.JPG', 'Photo.jpg', 'photo.JPG'].map((path) =>
      pick(path),
    )
    await shownEnd(queue.uploadFiles(picks, ROOT))
    expect(stored().filter((path) => /photo/i.test(path))).toEqual([
      '/New/Photo.jpg',
      '/New/photo(1).JPG',
      '/Photo.jpg',
      '/photo(1).JPG',
    ])
  })

  test('a file that is being sent is not replaced by a second drop', async () => {
    const held = Promise.withResolvers<void>()
    peer.intercept = async (_, call) => {
      if (call === 'POST /api/resources/new.txt') await held.promise
      return undefined
    }
    const first = queue.uploadFiles([pick('new.txt', 'first')], ROOT)
    // Both are dropped before the destination of the first is listed.
    const second = queue.uploadFiles([pick('new.txt', 'second')], ROOT)
    expect(await decideNext('keepBoth')).toEqual(['new.txt'])
    held.resolve()
    await shownEnd(Promise.all([first, second]))
    expect([text('/new.txt'), text('/new(1).txt')]).toEqual(['first', 'second'])
  })

  test('cancelling the question sends nothing', async () => {
    const uploading = queue.uploadFiles([pick('a.txt'), pick('new.txt')], ROOT)
    const stop = subscribe(prompts.prompts, () => prompts.dismiss())
    await shownEnd(uploading)
    stop()
    expect(peer.calls.some((call) => call.startsWith('POST'))).toBe(false)
    expect(signals.phase.value).toBe('idle')
  })
})

describe('an upload with failures', () => {
  test('an upload continues when the server is back', async () => {
    peer.intercept = async (_, call) => {
      const there = peer.begun.get('/big.bin')?.bytes.length
      if (!call.startsWith('PATCH') || there !== CHUNK) return undefined
      await peer.stop()
      return undefined
    }
    const uploading = queue.uploadFiles([pick('big.bin', 3 * CHUNK)], ROOT)
    await reaching('waiting')
    expect(signals.isDisconnected.value).toBe(true)
    peer.start()
    await health()
    peer.intercept = () => undefined
    await shownEnd(uploading)
    expect(peer.files.get('/big.bin')?.bytes).toHaveLength(3 * CHUNK)
    expect(peer.calls.filter((call) => call === 'POST /api/tus/big.bin')).toHaveLength(1)
  })

  test('an upload does not send again a file whose response was lost', async () => {
    peer.intercept = async (request, call) => {
      if (call !== 'POST /api/resources/a.txt' || peer.files.has('/a.txt')) return undefined
      peer.files.set('/a.txt', { bytes: await request.bytes(), modifiedMs: MODIFIED_MS })
      return refusal(500)
    }
    await shownEnd(queue.uploadFiles([pick('a.txt')], ROOT))
    expect(signals.phase.value).toBe('done')
    expect(peer.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1)
  })

  test('an upload waits until the same user signs in again', async () => {
    peer.token = 'new'
    const uploading = queue.uploadFiles([pick('a.txt')], ROOT).catch((error) => error)
    // Listing the destination requires a session too. The caller shows this failure.
    expect(isFault(await uploading, 'unauthenticated')).toBe(true)

    localStorage.setItem('jwt', 'new')
    peer.intercept = (_, call) => {
      if (call.startsWith('POST')) peer.token = 'newer'
      return undefined
    }
    const second = queue.uploadFiles([pick('a.txt')], ROOT)
    await reaching('waiting')
    localStorage.setItem('jwt', 'newer')
    await shownEnd(second)
    expect(stored()).toEqual(['/a.txt'])
    peer.token = 'token'
  })

  test('an upload is shown only to the user who started it, and never continues as another user', async () => {
    peer.intercept = (_, call) => {
      if (call.startsWith('POST')) peer.token = 'other'
      return undefined
    }
    const uploading = queue.uploadFiles([pick('a.txt')], ROOT)
    await reaching('waiting')
    session.session.user = { id: 8 } as never
    await Promise.resolve()
    localStorage.setItem('jwt', 'other')
    expect([signals.phase.value, signals.rows.value]).toEqual(['idle', []])
    await shownEnd(uploading)
    expect(stored()).toEqual([])
    expect([signals.phase.value, signals.rows.value]).toEqual(['idle', []])
    session.session.user = { id: 7 } as never
    await Promise.resolve()
    expect([signals.phase.value, signals.totals.value.failed]).toEqual(['ended', 1])
    peer.token = 'token'
  })

  test('an upload that waits for the connection does not continue as another user', async () => {
    peer.intercept = async (_, call) => {
      if (call.startsWith('POST')) await peer.stop()
      return undefined
    }
    const uploading = queue.uploadFiles([pick('a.txt')], ROOT)
    await reaching('waiting')
    session.session.user = { id: 8 } as never
    await Promise.resolve()
    peer.start()
    peer.intercept = () => undefined
    await health()
    await shownEnd(uploading)
    expect(stored()).toEqual([])
    session.session.user = { id: 7 } as never
    await Promise.resolve()
    expect([signals.phase.value, signals.totals.value.failed]).toEqual(['ended', 1])
  })

  test('an upload does not begin as another user who signs in while its destination is listed', async () => {
    peer.intercept = (_, call) => {
      if (call.startsWith('GET')) session.session.user = { id: 8 } as never
      return undefined
    }
    await queue.uploadFiles([pick('a.txt')], ROOT)
    expect(stored()).toEqual([])
    expect([signals.phase.value, signals.rows.value]).toEqual(['idle', []])
  })

  test('a failed upload can be retried, and resumes at the server’s offset', async () => {
    peer.intercept = (_, call) =>
      call.startsWith('PATCH') && peer.begun.get('/big.bin')?.bytes.length === CHUNK
        ? refusal(403, 'forbidden')
        : undefined
    await shownEnd(queue.uploadFiles([pick('big.bin', 2 * CHUNK)], ROOT))
    const [task] = signals.rows.value.filter((row) => 'id' in row)
    expect(task?.shown.value.state).toBe('failed')
    peer.intercept = () => undefined
    peer.calls.length = 0
    void queue.retryUpload(task?.id ?? 0)
    await reaching('done')
    expect(peer.files.get('/big.bin')?.bytes).toHaveLength(2 * CHUNK)
    expect(peer.calls.some((call) => call.startsWith('POST'))).toBe(false)
    expect(peer.calls.filter((call) => call.startsWith('HEAD /api/tus/'))).toHaveLength(1)
  })

  test.each([
    ['replace', ['/a.txt'], 'ours', 'done'],
    ['keepBoth', ['/a(1).txt', '/a.txt'], 'theirs', 'done'],
    ['skip', ['/a.txt'], 'theirs', 'idle'],
  ] as const)(
    'an upload whose name was taken in the meantime asks: %s',
    async (decision, names, content, phase) => {
      const theirs = { bytes: new TextEncoder().encode('theirs'), modifiedMs: MODIFIED_MS }
      peer.intercept = (_, call) => {
        if (call === 'POST /api/resources/a.txt') peer.files.set('/a.txt', theirs)
        return undefined
      }
      await shownEnd(queue.uploadFiles([pick('a.txt', 'ours')], ROOT))
      peer.intercept = () => undefined
      const [task] = signals.rows.value.filter((row) => 'id' in row)
      expect(isFault(task?.error, 'conflict')).toBe(true)
      const retrying = queue.retryUpload(task?.id ?? 0)
      expect(await decideNext(decision)).toEqual(['a.txt'])
      await shownEnd(retrying)
      expect(signals.phase.value).toBe(phase)
      expect(stored()).toEqual([...names])
      expect(text('/a.txt')).toBe(content)
    },
  )

  test('an aborted upload is deleted, and the others continue', async () => {
    const held = Promise.withResolvers<undefined>()
    peer.intercept = (_, call) => (call.startsWith('PATCH') ? held.promise : undefined)
    const uploading = queue.uploadFiles([pick('big.bin', 2 * CHUNK), pick('a.txt')], ROOT)
    const arrived = await reaching('done')
    expect(arrived.path).toBe(parsePath('/a.txt'))
    const [big] = signals.unsettledTasks()
    queue.abortUpload(big?.id ?? 0)
    held.resolve(undefined)
    await shownEnd(uploading)
    expect(signals.rows.value.flatMap((row) => ('id' in row ? [row.path] : []))).toEqual([
      parsePath('/a.txt'),
    ])
    expect(peer.calls).toContain('DELETE /api/tus/big.bin')
  })

  test('aborting all uploads empties the queue', async () => {
    peer.intercept = (_, call) => (call.startsWith('POST') ? new Promise(() => {}) : undefined)
    const picks = Array.from({ length: 20 }, (_, at) => pick(`${at}.txt`))
    const uploading = queue.uploadFiles(picks, ROOT)
    await reaching('active')
    queue.abortAll()
    await shownEnd(uploading)
    expect(signals.phase.value).toBe('idle')
    expect(stored()).toEqual([])
  })
})

test('an upload of an earlier page is not offered again after it is done', async () => {
  const { hasUnfinished, storeUnfinished } = await import('#ui/uploads/queue/unfinished.ts')
  const { file } = pick('small.txt')
  if (!file) throw new Error('The file is missing.')
  // Its size is below the limit for stored uploads. It may have been stored with other settings.
  const upload = { file, path: parsePath('/small.txt'), relativePath: '', override: false }
  storeUnfinished(upload, 7)
  expect(hasUnfinished(7)).toBe(true)
  await shownEnd(queue.resumeUploads([upload]))
  expect(stored()).toEqual(['/small.txt'])
  expect(hasUnfinished(7)).toBe(false)
})

test('one upload is one change to undo, with one message', async () => {
  const { toasts } = await import('#ui/state/messages/toasts.ts')
  const { undoable } = await import('#ui/state/changes/undo.ts')
  toasts.shown = []
  undoable.past = []
  const first = peer.entries.length + 1
  const small = Array.from({ length: 12 }, (_, at) => pick(`in/${at}`))
  await shownEnd(queue.uploadFiles([folder('in'), ...small, pick('large', 3 * CHUNK)], ROOT))
  // The small files are sent in one request, which is one change.
  const entries = [first, first + 1, first + 2]
  expect(undoable.past.map((group) => [...group])).toEqual([entries])
  expect(toasts.shown.map(({ undo }) => undo.length)).toEqual([3])
  expect(toasts.shown[0]?.text).toContain('13')
})

test('an upload without files shows no message', async () => {
  const { toasts } = await import('#ui/state/messages/toasts.ts')
  toasts.shown = []
  peer.intercept = (request) => (request.method === 'GET' ? undefined : refusal(403, 'forbidden'))
  await shownEnd(queue.uploadFiles([pick('a')], ROOT))
  expect(toasts.shown).toEqual([])
})
