import { expect, test } from 'bun:test'
import '../../browser.ts'
import { findNearestFolder } from '#ui/state/folder/nearest.ts'
import { FAULT_HEADER } from '#wire/api/session.ts'
import { isFault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { sentRequests, serve } from '../../browser.ts'
import { folder } from '../../entries.ts'

/** Serves some folders; every other URL is missing. */
function serveFolders(folders: Record<string, Parameters<typeof folder>[1]>): void {
  serve(({ url }) => {
    const path = url.replace('/api/resources', '').replace(/\/$/, '') || '/'
    const items = folders[path]
    if (items) return Response.json(folder(path === '/' ? '' : path, items))
    return new Response('404', { status: 404, headers: { [FAULT_HEADER]: 'notFound' } })
  })
}

test('the nearest folder that can be listed is offered for a missing path', async () => {
  serveFolders({ '/': [], '/docs': [] })
  expect(await findNearestFolder(parsePath('/docs/gone/deep/a.txt'))).toBe(parsePath('/docs'))
})

test('the home folder is offered if no folder can be listed', async () => {
  serveFolders({})
  expect(await findNearestFolder(parsePath('/docs/a.txt'))).toBe(ROOT)
})

test.each(['forbidden', 'notDirectory', 'badRequest'])(
  'a folder above that cannot be shown is skipped: %s',
  async (code) => {
    serve(({ url }) =>
      url === '/api/resources/docs/in/'
        ? new Response('', { status: 400, headers: { [FAULT_HEADER]: code } })
        : Response.json(folder('/docs', [])),
    )
    expect(await findNearestFolder(parsePath('/docs/in/a.txt'))).toBe(parsePath('/docs'))
  },
)

test('without a connection, no folder is offered', async () => {
  serve(() => new TypeError('Failed to fetch'))
  const found = findNearestFolder(parsePath('/docs/in/a.txt'))
  expect(isFault(await found.catch((error) => error), 'unavailable')).toBe(true)
  expect(sentRequests).toHaveLength(1)
})

test('an abort ends the search', async () => {
  const controller = new AbortController()
  serve(() => {
    controller.abort()
    return new TypeError('The operation was aborted.')
  })
  const found = findNearestFolder(parsePath('/docs/in/a.txt'), controller.signal)
  expect(isFault(await found.catch((error) => error), 'aborted')).toBe(true)
  expect(sentRequests).toHaveLength(1)
})
