/** Many small files, which the queue sends together. */
import { describe, expect, test } from 'bun:test'
import type { FilePick } from '#ui/lib/gestures/read-files.ts'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { UploadTask } from '#ui/uploads/queue/tasks.ts'
import { Fault, isFault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { shownEnd } from '../browser.ts'
import { refusal } from '../peer.ts'
import { openQueuePage, peer, queue, session, signals } from '../queue-page.ts'

const MODIFIED_MS = 1_700_000_000_000

openQueuePage()

/** The content of a file, which differs from that of every other file. */
const textOf = (name: string, size = 20) => name.padEnd(size, '.')

function pick(path: string, size = 20): FilePick {
  const file = new File([textOf(path, size)], path, { lastModified: MODIFIED_MS })
  return { file, path, isDir: false }
}

const picks = (count: number) => Array.from({ length: count }, (_, at) => pick(`${at}.txt`))
const posts = () => peer.calls.filter((call) => call.startsWith('POST'))
const tasksIn = (state: UploadTask['state']) =>
  signals.rows.value.filter((row) => 'id' in row).filter((task) => task.shown.value.state === state)

test('many small files are sent in few requests, with their modification times', async () => {
  await shownEnd(queue.uploadFiles(picks(250), parsePath('/into')))
  expect(peer.files.size).toBe(250)
  for (const [path, { bytes, modifiedMs }] of peer.files) {
    expect(new TextDecoder().decode(bytes)).toBe(textOf(path.slice('/into/'.length)))
    expect(modifiedMs).toBe(MODIFIED_MS)
  }
  expect(posts()).toEqual(Array(3).fill('POST /api/batch/into/'))
  expect(signals.totals.value).toMatchObject({ files: 250, done: 250, sentBytes: 5000 })
})

test('few files, and larger ones, are sent one by one', async () => {
  await shownEnd(queue.uploadFiles([...picks(9), pick('large.bin', 300_000)], ROOT))
  expect(posts().every((call) => call.startsWith('POST /api/resources/'))).toBe(true)
  expect(peer.files.size).toBe(10)
})

test('the failure of one file is shown in its row', async () => {
  // Another client takes the name after the collision check.
  peer.intercept = (_, call) => {
    if (call.startsWith('POST'))
      peer.files.set('/3.txt', { bytes: new Uint8Array(), modifiedMs: 0 })
    return undefined
  }
  await shownEnd(queue.uploadFiles(picks(20), ROOT))
  expect(signals.totals.value).toMatchObject({ done: 19, failed: 1 })
  const [failed] = tasksIn('failed')
  expect(failed?.path).toBe(parsePath('/3.txt'))
  expect(isFault(failed?.error, 'conflict')).toBe(true)
})

test('the reason of a failed file is shown in its row', async () => {
  const { faultText } = await import('#ui/i18n/faults.ts')
  const fault = 'tooLarge; reason=tooDeep; levels=512'
  peer.intercept = (_, call) =>
    call.startsWith('POST /api/batch')
      ? Response.json({
          results: Array(12).fill({
            path: '/',
            status: 413,
            code: 'tooLarge',
            message: 'no',
            fault,
          }),
        })
      : undefined
  await shownEnd(queue.uploadFiles(picks(12), ROOT))
  const errors = tasksIn('failed').map(({ error }) => error)
  expect(errors).toHaveLength(12)
  expect(faultText(errors[0])).toBe('Folders can be at most 512 levels deep.')
})

test('the failure of the request is shown in each row', async () => {
  peer.intercept = (_, call) =>
    call.startsWith('POST /api/batch') ? refusal(403, 'forbidden') : undefined
  await shownEnd(queue.uploadFiles(picks(12), ROOT))
  const failed = tasksIn('failed')
  expect(failed).toHaveLength(12)
  expect(failed.every(({ error }) => error instanceof Fault && error.code === 'forbidden')).toBe(
    true,
  )
})

test('after a lost response, missing files are sent separately', async () => {
  peer.intercept = async (request, call) => {
    if (!call.startsWith('POST /api/batch')) return undefined
    for (const value of (await request.formData()).values()) {
      const info = typeof value === 'string' ? JSON.parse(value) : undefined
      if (!info || info.path === '4.txt') continue
      const bytes = new TextEncoder().encode(textOf(info.path))
      peer.files.set(`/${info.path}`, { bytes, modifiedMs: info.modified })
    }
    return refusal(503, 'unavailable')
  }
  await shownEnd(queue.uploadFiles(picks(12), ROOT))
  expect(signals.totals.value).toMatchObject({ done: 12, failed: 0 })
  expect(posts()).toEqual(['POST /api/batch/', 'POST /api/resources/4.txt'])
})

test('an aborted file is not stored, and the others are', async () => {
  const begun = Promise.withResolvers<void>()
  peer.intercept = (_, call) => {
    if (!call.startsWith('POST /api/batch')) return undefined
    begun.resolve()
    return new Promise(() => {})
  }
  const uploading = queue.uploadFiles(picks(12), ROOT)
  await begun.promise
  const [task] = signals.rows.value
    .filter((row) => 'id' in row)
    .filter(({ path }) => path === '/5.txt')
  queue.abortUpload(task?.id ?? 0)
  await shownEnd(uploading)
  expect(peer.files.size).toBe(11)
  expect(peer.files.has('/5.txt')).toBe(false)
  expect(signals.totals.value).toMatchObject({ files: 11, done: 11, failed: 0 })
})

describe('the retry of small files', () => {
  /** Keeps all transfers busy, so that the next files wait in the queue. @returns a function that ends this */
  async function keepBusy(): Promise<() => Promise<void>> {
    const [full, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let posted = 0
    peer.intercept = async (_, call) => {
      if (!call.startsWith('POST')) return undefined
      posted += 1
      if (posted === UI_LIMITS.concurrentUploads) full.resolve()
      await released.promise
      return undefined
    }
    const large = Array.from({ length: UI_LIMITS.concurrentUploads }, (_, at) => `${at}.bin`)
    const uploading = queue.uploadFiles(
      large.map((name) => pick(name, 300_000)),
      ROOT,
    )
    await full.promise
    return async () => {
      released.resolve()
      await uploading
    }
  }

  /** Resolves when the panel shows something. */
  function shown(isShown: () => boolean): Promise<void> {
    const now = Promise.withResolvers<void>()
    const stop = signals.totals.subscribe(() => {
      if (isShown()) now.resolve()
    })
    return now.promise.finally(stop)
  }

  test('files that wait together all end, also if the server responds to one much earlier', async () => {
    peer.intercept = (_, call) =>
      call.startsWith('POST /api/batch') ? refusal(403, 'forbidden') : undefined
    await shownEnd(queue.uploadFiles(picks(12), ROOT))
    const failed = tasksIn('failed')
    expect(failed).toHaveLength(12)
    const stopBusy = await keepBusy()
    const retries = failed.map(({ id }) => queue.retryUpload(id))
    const [first] = failed
    const firstDone = shown(() => first?.shown.value.state === 'done')
    peer.intercept = async (_, call) => {
      const isQuestion = call.startsWith('GET /api/resources/') && call.endsWith('.txt')
      if (isQuestion && !call.endsWith(`${first?.path}`)) await firstDone
      return undefined
    }
    await stopBusy()
    await shownEnd(Promise.all(retries))
    expect(signals.totals.value).toMatchObject({ done: 17, failed: 0 })
    expect(peer.files.size).toBe(17)
  })

  test('files end one after the other, also if they were to be sent together as another user', async () => {
    const stopBusy = await keepBusy()
    const uploading = queue.uploadFiles(picks(12), ROOT)
    await shown(() => signals.totals.value.files === 17)
    session.session.user = { id: 8 } as never
    await stopBusy()
    await uploading
    session.session.user = { id: 7 } as never
    await Promise.resolve()
    for (const { id } of tasksIn('failed')) await shownEnd(queue.retryUpload(id))
    expect(signals.totals.value).toMatchObject({ done: 17, failed: 0 })
  })
})
