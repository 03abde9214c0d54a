import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Usage } from '#wire/api/entry.ts'
import { openReactPage, type ReactPage } from '../../uploads/react-page.ts'

let page: ReactPage
let unmount: () => void

beforeAll(async () => {
  page = await openReactPage()
})
afterAll(() => page.close())
afterEach(async () => {
  const { usage } = await import('#ui/state/folder/usage.ts')
  await page.act(() => {
    unmount()
    usage.known = null
  })
  document.body.replaceChildren()
})

async function show(known: Usage): Promise<string> {
  const { usage } = await import('#ui/state/folder/usage.ts')
  const { StorageBar } = await import('#ui/features/page-layout/StorageBar.tsx')
  usage.known = known
  unmount = await page.mount(<StorageBar />)
  return document.body.textContent
}

test('the storage bar counts the usable bytes, without those that are reserved', async () => {
  expect(await show({ total: 500, used: 100, free: 300 })).toContain('25%')
})

test('a file system without usable bytes has no storage bar', async () => {
  expect(await show({ total: 500, used: 0, free: 0 })).toBe('')
})
