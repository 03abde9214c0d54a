import { beforeEach, expect, test } from 'bun:test'
import '../browser.ts'
import { loadResumableUploads, resumableUploads } from '#ui/uploads/resumable.ts'
import { hasUnfinished, storeUnfinished } from '#ui/uploads/unfinished.ts'
import { parsePath } from '#wire/paths.ts'
import { serve } from '../browser.ts'

const FILE = new File(['content'], 'a.bin', { lastModified: 5 })
const UPLOAD = { file: FILE, path: parsePath('/a.bin'), relativePath: 'a.bin', override: false }

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

test('an unfinished upload that the server no longer has is not offered again', async () => {
  serve(() => new Response('', { status: 404 }))
  await loadResumableUploads(7)
  expect(hasUnfinished(7)).toBe(false)
})
