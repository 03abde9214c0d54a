/** The service worker, with caches of the test. */
import { afterAll, afterEach, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'

const SCOPE = 'http://files.test/'
const CHUNK = 'static/index-1.js'

type Listener = (event: object) => void
const listeners = new Map<string, Listener>()
/** The contents of the only cache, by URL. */
const cached = new Map<string, Response>()
let isDiskFull = false

const GLOBALS = {
  self: {
    registration: { scope: SCOPE },
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
  },
  SHELL: [CHUNK],
  SHELL_DIGEST: 'digest',
  caches: {
    async open() {
      if (isDiskFull) throw new DOMException('', 'QuotaExceededError')
      return {
        match: async ({ url }: Request) => cached.get(url)?.clone(),
        put: async ({ url }: Request, response: Response) => void cached.set(url, response),
      }
    },
  },
}

const before = Object.keys(GLOBALS).map((name) => [name, Reflect.get(globalThis, name)] as const)
for (const [name, value] of Object.entries(GLOBALS)) Reflect.set(globalThis, name, value)
// The types of workers and of pages exclude each other, so this import has none.
await import(join(import.meta.dir, '../../../ui/worker/sw.ts'))

afterAll(() => {
  for (const [name, value] of before) Reflect.set(globalThis, name, value)
})

const network = spyOn(globalThis, 'fetch')
afterAll(() => network.mockRestore())
afterEach(() => {
  isDiskFull = false
  cached.clear()
})

/** The response of the worker to a request of the page; undefined if the browser handles the request. */
async function respond(path: string): Promise<Response | undefined> {
  let response: Promise<Response> | undefined
  let storing: Promise<unknown> | undefined
  listeners.get('fetch')?.({
    request: new Request(SCOPE + path),
    respondWith: (given: Promise<Response>) => {
      response = given
    },
    waitUntil: (given: Promise<unknown>) => {
      storing = given
    },
  })
  const given = await response
  // A browser ignores the failure.
  await storing?.catch(() => undefined)
  return given
}

test.each([CHUNK, 'static/custom.css'])(
  'a full disk does not keep %s from the page',
  async (path) => {
    isDiskFull = true
    network.mockImplementation((async () => new Response('from the server')) as never)
    expect(await (await respond(path))?.text()).toBe('from the server')
  },
)

test('the operator’s stylesheet is shown without the server too', async () => {
  network.mockImplementation((async () => new Response('body {}')) as never)
  await respond('static/custom.css')
  network.mockImplementation((async () => Promise.reject(new TypeError())) as never)
  expect(await (await respond('static/custom.css'))?.text()).toBe('body {}')
})

test('requests of the API do not pass the worker', async () => {
  expect(await respond('api/resources/')).toBeUndefined()
})
