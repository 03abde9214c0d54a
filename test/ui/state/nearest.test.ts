import { expect, test } from 'bun:test'
import '../browser.ts'
import { findNearestFolder } from '#ui/state/nearest.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { FAULT_HEADER } from '#wire/session.ts'
import { serve } from '../browser.ts'
import { entry, folder } from '../entries.ts'

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
  expect(await findNearestFolder(parsePath('/docs/gone/deep/a.txt'))).toEqual({
    folder: parsePath('/docs'),
    isBrokenLink: false,
  })
})

test('the home folder is offered if no folder can be listed', async () => {
  serveFolders({})
  expect(await findNearestFolder(parsePath('/docs/a.txt'))).toEqual({
    folder: ROOT,
    isBrokenLink: false,
  })
})

test('a link whose target is missing is reported as a broken link', async () => {
  const link = entry('/docs/a', { isSymlink: true, type: 'invalid_link' })
  serveFolders({ '/docs': [link] })
  expect(await findNearestFolder(parsePath('/docs/a'))).toMatchObject({ isBrokenLink: true })
})
