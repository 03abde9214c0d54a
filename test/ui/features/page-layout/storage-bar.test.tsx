import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { UserUsage } from '#wire/api/entry.ts'
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

async function show(known: UserUsage): Promise<string> {
  const { usage } = await import('#ui/state/folder/usage.ts')
  const { StorageBar } = await import('#ui/features/page-layout/StorageBar.tsx')
  usage.known = known
  unmount = await page.mount(<StorageBar />)
  return document.body.textContent
}

test('the storage bar counts the usable bytes, without those that are reserved', async () => {
  expect(await show({ total: 500, used: 100, free: 300 })).toContain('25%')
})

test('what the trash holds and is not free is shown if it is much beside what is free', async () => {
  const trash = { bytes: 2048, freeBytes: 1024 }
  expect(await show({ total: 500, used: 390, free: 10, trash })).toContain('1 KiB in the trash')
})

test('a little in the trash is not shown', async () => {
  const trash = { bytes: 2048, freeBytes: 1024 }
  expect(await show({ total: 500, used: 200, free: 20_000, trash })).not.toContain('trash')
})

test('a file system without usable bytes has no storage bar', async () => {
  expect(await show({ total: 500, used: 0, free: 0 })).toBe('')
})
