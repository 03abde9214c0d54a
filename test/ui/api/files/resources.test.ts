/** Listings with an entity tag: the server sends them again only if they have changed. */
import { beforeEach, expect, test } from 'bun:test'
import '../../browser.ts'
import { storeToken } from '#ui/api/client/token.ts'
import { stat } from '#ui/api/files/resources.ts'
import { parsePath } from '#wire/paths.ts'
import { type SentRequest, sentRequests, serve } from '../../browser.ts'

const folder = parsePath('/docs')
let version = 0

/** A server that sends a listing once for each version. */
function answer({ headers }: SentRequest): Response {
  const ETag = `W/"${version}"`
  if (headers.get('If-None-Match') === ETag) return new Response(null, { status: 304 })
  return Response.json({ isDir: true, items: [{ name: `${version}` }] }, { headers: { ETag } })
}

const names = async () => {
  const entry = await stat(folder)
  return 'items' in entry ? entry.items.map(({ name }) => name) : []
}

beforeEach(() => {
  version += 1
  storeToken('a.b.c')
})

test('an unchanged folder is the same object, and a changed one is read', async () => {
  serve(answer)
  const before = version
  expect(await names()).toEqual([`${before}`])
  expect(await names()).toEqual([`${before}`])
  expect(sentRequests.map(({ headers }) => headers.get('If-None-Match'))).toContain(`W/"${before}"`)
  version += 1
  expect(await names()).toEqual([`${version}`])
})

test('a listing of one user is not kept for the next user', async () => {
  serve(answer)
  await names()
  storeToken('d.e.f')
  const before = sentRequests.length
  await names()
  expect(sentRequests[before]?.headers.get('If-None-Match')).toBeNull()
})
