import { afterEach, beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { loadCaptcha } from '#ui/lib/page/captcha.ts'

const HOST = 'https://captcha.test'
const service = { ready: (run: () => void) => run(), render: () => 0 }

/** The elements appended to the page; a script in it would be fetched at once. */
let appended: HTMLScriptElement[] = []

beforeEach(() => {
  appended = []
  Reflect.set(document.head, 'append', (script: HTMLScriptElement) => appended.push(script))
})

afterEach(() => {
  Reflect.deleteProperty(globalThis, 'grecaptcha')
  Reflect.deleteProperty(document.head, 'append')
})

test('a script that fails to load is loaded again; a loaded one is loaded once', async () => {
  const first = loadCaptcha(HOST)
  expect(appended.map(({ src }) => src)).toEqual([`${HOST}/recaptcha/api.js?render=explicit`])
  appended[0]?.onerror?.('gone')
  expect(await first.catch(() => 'failed')).toBe('failed')

  const second = loadCaptcha(HOST)
  Reflect.set(globalThis, 'grecaptcha', service)
  appended[1]?.onload?.(new KeyboardEvent('load'))
  expect(await second).toBe(service)
  expect(await loadCaptcha(HOST)).toBe(service)
  expect(appended).toHaveLength(2)
})
