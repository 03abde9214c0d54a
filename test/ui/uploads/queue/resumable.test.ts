import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import {
  dismissResumableUploads,
  loadResumableUploads,
  resumableUploads,
} from '#ui/uploads/queue/resumable.ts'
import { hasUnfinished, storeUnfinished } from '#ui/uploads/queue/unfinished.ts'
import { parsePath } from '#wire/paths.ts'
import { serve } from '../../browser.ts'

const FILE = new File(['content'], 'a.bin', { lastModified: 5 })
const UPLOAD = {
  file: FILE,
  path: parsePath('/a.bin'),
  relativePath: 'a.bin',
  override: false,
  begun: { key: 'own', id: '1' },
}
const encode = (text: string) => Buffer.from(text).toString('base64')

/** The state of an upload of the file. */
function stateOf(offset: number, key: string): Response {
  const pairs = { filename: 'a.bin', lastModified: '5', key }
  const metadata = Object.entries(pairs).map(([name, value]) => `${name} ${encode(value)}`)
  return new Response(null, {
    headers: {
      'Upload-Offset': String(offset),
      'Upload-Length': String(FILE.size),
      'Upload-Metadata': metadata.join(','),
    },
  })
}

beforeEach(() => {
  localStorage.clear()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
  resumableUploads.value = []
  storeUnfinished(UPLOAD, 7)
})

test.each([401, 423, 429, 500, 503])(
  'an unfinished upload is offered again later if its state is unknown, because the status is %p',
  async (status) => {
    serve(() => new Response('', { status }))
    await loadResumableUploads(7)
    expect(resumableUploads.value).toEqual([])
    expect(hasUnfinished(7)).toBe(true)
  },
)

test('an unfinished upload is offered, and not again after the user has dismissed it', async () => {
  serve(() => stateOf(3, 'own'))
  await loadResumableUploads(7)
  expect(resumableUploads.value).toMatchObject([
    { name: 'a.bin', receivedBytes: 3, begun: { key: 'own', id: '1' } },
  ])
  dismissResumableUploads()
  expect(hasUnfinished(7)).toBe(false)
  await loadResumableUploads(7)
  expect(resumableUploads.value).toEqual([])
})

test('an upload that another browser has begun at the path is not offered', async () => {
  serve(() => stateOf(3, 'other'))
  await loadResumableUploads(7)
  expect([resumableUploads.value, hasUnfinished(7)]).toEqual([[], false])
})

test('an upload that is finished is not offered', async () => {
  serve(() => stateOf(FILE.size, 'own'))
  await loadResumableUploads(7)
  expect([resumableUploads.value, hasUnfinished(7)]).toEqual([[], false])
})

test('an upload that was not begun on the server, as those of earlier versions, is not asked for', async () => {
  storeUnfinished({ ...UPLOAD, begun: undefined }, 7)
  let requests = 0
  serve(() => {
    requests += 1
    return stateOf(3, 'own')
  })
  await loadResumableUploads(7)
  expect([requests, resumableUploads.value, hasUnfinished(7)]).toEqual([0, [], false])
})

test('an unfinished upload that the server no longer has is not offered again', async () => {
  serve(() => new Response('', { status: 404 }))
  await loadResumableUploads(7)
  expect(hasUnfinished(7)).toBe(false)
})
