import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReactPage, type ReactPage } from '../uploads/react-page.ts'

let page: ReactPage
let useLoaded: typeof import('#ui/pages/settings/use-loaded.ts').useLoaded

beforeAll(async () => {
  page = await openReactPage()
  ;({ useLoaded } = await import('#ui/pages/settings/use-loaded.ts'))
})
afterAll(() => page.close())

type Loaded = ReturnType<typeof useLoaded<string>>

/** Renders the hook. Each call of `load` waits until the test settles it. */
async function renderHook() {
  const calls: PromiseWithResolvers<string>[] = []
  const load = () => {
    const call = Promise.withResolvers<string>()
    calls.push(call)
    return call.promise
  }
  const hook: { current: Loaded | undefined } = { current: undefined }
  function Component() {
    hook.current = useLoaded(load)
    return null
  }
  const unmount = await page.mount(<Component />)
  return { calls, hook, unmount: () => page.act(async () => unmount()) }
}

test('the result of the last call is shown, also if an earlier call ends after it', async () => {
  const { calls, hook, unmount } = await renderHook()
  await page.act(async () => void hook.current?.reload())
  await page.act(async () => calls[1]?.resolve('new'))
  await page.act(async () => calls[0]?.resolve('old'))
  expect(hook.current?.value).toBe('new')
  await unmount()
})

test('an earlier call that fails late shows no error', async () => {
  const { calls, hook, unmount } = await renderHook()
  await page.act(async () => void hook.current?.reload())
  await page.act(async () => calls[1]?.resolve('new'))
  await page.act(async () => calls[0]?.reject(new Error('broken')))
  expect(hook.current).toMatchObject({ value: 'new', fault: undefined })
  await unmount()
})

test('a value that the page sets is not replaced by a call that began before', async () => {
  const { calls, hook, unmount } = await renderHook()
  await page.act(async () => hook.current?.setValue('saved'))
  await page.act(async () => calls[0]?.resolve('old'))
  expect(hook.current?.value).toBe('saved')
  await unmount()
})
