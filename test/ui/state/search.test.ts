import { beforeEach, expect, test } from 'bun:test'
import { runSearch, search, searchFrom, stopSearch, widenSearch } from '#ui/state/search.ts'
import { session } from '#ui/state/session.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { asked, serve, userOf } from '../browser.ts'

const DOCS = parsePath('/docs')

/** A line of the server's that a test sends by hand. */
function openLine() {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  serve(() => new Response(body))
  return {
    send: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
    break: () => controller?.error(new TypeError('broken')),
  }
}

const paths = () => search.hits.map(({ path }) => path)

beforeEach(() => {
  session.user = userOf()
  searchFrom(ROOT)
  searchFrom(DOCS)
})

test('a search asks below the folder, and everywhere when it is widened', async () => {
  serve(() => new Response('{"dir":true,"path":"a#b"}\n'))
  await runSearch('a b')
  expect(asked.at(-1)?.url).toBe('/api/search/docs/?query=a+b')
  expect(search).toMatchObject({ status: 'done', count: 1 })
  await widenSearch(true)
  expect(asked.at(-1)?.url).toBe('/api/search/?query=a+b')
})

test('an empty query is ignored', async () => {
  serve(() => new Response(''))
  await runSearch('  ')
  expect(asked).toEqual([])
  expect(search.status).toBe('idle')
})

test('empty lines are no hits, and a hit may come in pieces, also within a letter', async () => {
  const bytes = new TextEncoder().encode('\n{"dir":false,"path":"ä/ö.txt"}\n\n')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  serve(() => new Response(body))
  await runSearch('ö')
  expect(paths()).toEqual(['ä/ö.txt'])
  expect(search.status).toBe('done')
})

test('a stop ends the call and keeps what was found', async () => {
  const line = openLine()
  const running = runSearch('a')
  line.send('{"dir":false,"path":"a"}\n')
  while (search.count === 0) await new Promise(setImmediate)
  stopSearch()
  line.end()
  await running
  expect(search).toMatchObject({ status: 'stopped', count: 1 })
})

test('a search that breaks off keeps what it has, and is no success', async () => {
  const line = openLine()
  const running = runSearch('a')
  line.send('{"dir":false,"path":"a"}\n{"dir":fal')
  line.end()
  await running
  expect(search).toMatchObject({ status: 'failed', count: 1 })
  expect(search.fault?.code).toBe('unavailable')

  const other = openLine()
  const again = runSearch('b')
  other.break()
  await again
  expect(search).toMatchObject({ status: 'failed', count: 0 })
})

test('what an earlier search still finds does not mix with the next', async () => {
  const first = openLine()
  const earlier = runSearch('a')
  first.send('{"dir":false,"path":"a"}\n')
  while (search.count === 0) await new Promise(setImmediate)
  serve(() => new Response('{"dir":false,"path":"b"}\n'))
  const later = runSearch('b')
  first.send('{"dir":false,"path":"aa"}\n')
  first.end()
  await Promise.all([earlier, later])
  expect(paths()).toEqual(['b'])
  expect(search).toMatchObject({ status: 'done', count: 1, query: 'b' })
})

test('another folder begins anew, the same one finds its search again', async () => {
  serve(() => new Response('{"dir":false,"path":"a"}\n'))
  await runSearch('a')
  searchFrom(DOCS)
  expect(search.count).toBe(1)
  searchFrom(parsePath('/docs/sub'))
  expect(search).toMatchObject({ query: '', status: 'idle', count: 0, everywhere: false })
})

test('whoever logs in next sees nothing of it', async () => {
  serve(() => new Response('{"dir":false,"path":"secret"}\n'))
  await runSearch('secret')
  session.user = null
  await new Promise(setImmediate)
  expect(search).toMatchObject({ query: '', count: 0, folder: ROOT })
  expect(paths()).toEqual([])
})
