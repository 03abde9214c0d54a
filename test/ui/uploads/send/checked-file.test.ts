/** Files that change on the device while they are sent. */
import { expect, test } from 'bun:test'
import { UI_LIMITS } from '#ui/lib/limits.ts'
import type { UploadTask } from '#ui/uploads/queue/tasks.ts'
import { ROOT } from '#wire/paths.ts'
import { shownEnd } from '../browser.ts'
import { CHUNK, openQueuePage, peer, queue, signals } from '../queue-page.ts'

openQueuePage()

/** A file that, from a moment on, cannot be read any more, as a changed file in Chromium. */
function changing(name: string, size: number) {
  const file = new File([new Uint8Array(size).fill(1)], name, { lastModified: 1_700_000_000_000 })
  const slice = file.slice.bind(file)
  let hasChanged = false
  file.slice = (...range) => {
    const part = slice(...range)
    if (hasChanged)
      part.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
    return part
  }
  const change = () => {
    hasChanged = true
  }
  return { change, pick: { file, path: name, isDir: false } }
}

const errors = () =>
  signals.rows.value
    .filter((row): row is UploadTask => 'id' in row)
    .map(({ path, error }) => [path, error instanceof Error ? error.name : error])

test('a file that changes before its last bytes are sent is withdrawn, and what it should replace stays', async () => {
  const { change, pick } = changing('a.bin', 2 * CHUNK)
  peer.intercept = (request, call) => {
    const offset = Number(request.headers.get('Upload-Offset'))
    if (call.startsWith('PATCH') && offset === CHUNK) change()
    return undefined
  }
  await shownEnd(queue.uploadFiles([pick], ROOT))
  expect(errors()).toEqual([['/a.bin', 'ChangedFileError']])
  expect([peer.files.size, peer.begun.size]).toEqual([0, 0])
  expect(peer.calls).toContain('DELETE /api/tus/a.bin')
})

test('the last bytes of a file are sent after a check, in a request of their own', async () => {
  const { pick } = changing('a.bin', 2 * CHUNK)
  const offsets: number[] = []
  peer.intercept = (request, call) => {
    if (call.startsWith('PATCH')) offsets.push(Number(request.headers.get('Upload-Offset')))
    return undefined
  }
  await shownEnd(queue.uploadFiles([pick], ROOT))
  expect(offsets).toEqual([0, CHUNK, 2 * CHUNK - UI_LIMITS.uploadTailBytes])
  expect(peer.files.get('/a.bin')?.bytes).toEqual(new Uint8Array(2 * CHUNK).fill(1))
})

test('a small file that changes while it is read is not sent; the others of its batch are', async () => {
  const files = Array.from({ length: 10 }, (_, at) => changing(`${at}.txt`, 10))
  const { file } = files[3]?.pick ?? {}
  if (!file) throw new Error('The file is missing.')
  const { slice } = file
  file.slice = (...range) => {
    const part = slice(...range)
    files[3]?.change()
    return part
  }
  await shownEnd(
    queue.uploadFiles(
      files.map(({ pick }) => pick),
      ROOT,
    ),
  )
  expect(errors().filter(([, error]) => error)).toEqual([['/3.txt', 'ChangedFileError']])
  expect(peer.files.size).toBe(9)
  expect(signals.totals.value).toMatchObject({ done: 9, failed: 1 })
})

test('a single small file that changes while it is read is not sent', async () => {
  const { change, pick } = changing('a.txt', 10)
  const { slice } = pick.file
  pick.file.slice = (...range) => {
    const part = slice(...range)
    if (range[1] === 10) change()
    return part
  }
  await shownEnd(queue.uploadFiles([pick], ROOT))
  expect(errors()).toEqual([['/a.txt', 'ChangedFileError']])
  expect(peer.files.size).toBe(0)
})
