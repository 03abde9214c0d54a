import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { session } from '#ui/state/session/session.ts'
import {
  closePublicShare,
  openPublicShare,
  publicShare,
  reloadPublicShare,
  unlockPublicShare,
} from '#ui/state/sharing/public-share.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { PERMISSIONS, permissionsOf } from '#wire/permissions.ts'
import { sentRequests, serve, userOf } from '../browser.ts'
import { entry, folder } from '../entries.ts'

const PICTURES = ['a', 'b', 'c'].map((name) => entry(`/${name}.jpg`, { type: 'image' }))
const PASSWORD = 'geheim ß 100%'
const refused = (status: number, fault: string) =>
  new Response('', { status, headers: { 'X-Fault': fault } })
/** Serves a share with a password. After the right password the response has a token, which opens the share too. */
const locked = ({ url, headers }: { url: string; headers: Headers }) => {
  const answer = headers.get('X-SHARE-PASSWORD')
  const opens =
    new URL(url, 'http://x').searchParams.get('token') === 'T' ||
    (answer !== null && decodeURIComponent(answer) === PASSWORD)
  if (!opens) return refused(401, 'unauthenticated')
  return Response.json({ ...folder('/', [entry('/a.txt')]), name: 'photos', token: 'T' })
}

beforeEach(async () => {
  // The tab's storage; happy-dom's local one behaves the same.
  localStorage.clear()
  Object.defineProperty(globalThis, 'sessionStorage', { value: localStorage, configurable: true })
  serve(() => refused(404, 'notFound'))
  await openPublicShare({ hash: 'none', path: ROOT })
})

// Other test files see the pages of users.
afterAll(closePublicShare)

test('a share without a password shows its content, without a session', async () => {
  localStorage.setItem('jwt', 'mine')
  serve(() => Response.json({ ...folder('/in', [entry('/in/a.txt')]), name: 'photos' }))
  await openPublicShare({ hash: 'open', path: parsePath('/in') })
  expect(publicShare).toMatchObject({ status: 'ready', folderName: 'photos', token: undefined })
  expect(sentRequests[0]?.url).toBe('/api/public/share/open/in')
  expect(sentRequests[0]?.headers.has('X-Auth')).toBe(false)
})

describe('a password', () => {
  test('a password is requested, and a wrong one is reported', async () => {
    serve(locked)
    await openPublicShare({ hash: 'L', path: ROOT })
    expect(publicShare).toMatchObject({ status: 'locked', refusal: undefined })
    await unlockPublicShare('wrong')
    expect(publicShare).toMatchObject({ status: 'locked', refusal: 'wrong' })
    await unlockPublicShare(PASSWORD)
    expect(publicShare).toMatchObject({ status: 'ready', refusal: undefined, token: 'T' })
  })

  test('a password is requested once: the token opens other paths, and the page after a reload', async () => {
    serve(locked)
    await openPublicShare({ hash: 'L', path: ROOT })
    await unlockPublicShare(PASSWORD)
    await openPublicShare({ hash: 'L', path: parsePath('/in') })
    expect(publicShare.status).toBe('ready')
    await openPublicShare({ hash: 'other', path: ROOT })
    expect(publicShare).toMatchObject({ status: 'locked', token: undefined })
    await openPublicShare({ hash: 'L', path: ROOT })
    expect(publicShare.status).toBe('ready')
  })

  test('a password is requested again if the token is no longer valid', async () => {
    serve(locked)
    await openPublicShare({ hash: 'L', path: ROOT })
    await unlockPublicShare(PASSWORD)
    serve(() => refused(401, 'unauthenticated'))
    await reloadPublicShare()
    expect(publicShare).toMatchObject({ status: 'locked', refusal: undefined, token: undefined })
  })

  test('after too many attempts the password is still requested', async () => {
    serve(locked)
    await openPublicShare({ hash: 'L', path: ROOT })
    serve(() => refused(429, 'tooMany'))
    await unlockPublicShare('again')
    expect(publicShare).toMatchObject({ status: 'locked', refusal: 'tooMany' })
  })
})

test.each([
  [404, 'notFound'],
  [403, 'forbidden'],
  [500, 'internal'],
] as const)('the status %d is an error, and the next attempt may succeed', async (status, code) => {
  serve(() => refused(status, code))
  await openPublicShare({ hash: 'x', path: ROOT })
  expect(publicShare).toMatchObject({ status: 'failed', fault: { code } })
  serve(() => Response.json(folder('/', [])))
  await reloadPublicShare()
  expect(publicShare).toMatchObject({ status: 'ready', fault: null })
})

test('a late response for another path is ignored', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  serve(async ({ url }) => {
    if (url.endsWith('/slow')) await held
    return Response.json(folder(url.endsWith('/slow') ? '/slow' : '/quick', []))
  })
  const slow = openPublicShare({ hash: 'x', path: parsePath('/slow') })
  await openPublicShare({ hash: 'x', path: parsePath('/quick') })
  release()
  await slow
  expect(publicShare.entry?.path).toBe(parsePath('/quick'))
})

test('the actions of a visitor reach the share, and nothing of a signed-in user', async () => {
  const { actionContext } = await import('#ui/state/action-context.ts')
  const { actions } = await import('#ui/actions/registry.ts')
  session.user = userOf({ perm: permissionsOf(...PERMISSIONS) })
  serve(({ url }) =>
    url.includes('b.jpg')
      ? Response.json(entry('/b.jpg', { type: 'image' }))
      : Response.json({ ...folder('/', PICTURES), name: 'trip' }),
  )
  await openPublicShare({ hash: 'S', path: ROOT })
  expect(actionContext()).toMatchObject({ page: 'elsewhere' })
  await openPublicShare({ hash: 'S', path: parsePath('/b.jpg') })
  const context = actionContext()
  expect(context).toMatchObject({ page: 'file', viewer: 'image', rank: { at: 2, of: 3 } })
  expect(context.previous?.name).toBe('a.jpg')
  expect(context.urls.content(parsePath('/b.jpg'))).toBe('/api/public/dl/S/b.jpg')
  const available = actions.filter((action) => action.when(context)).map(({ id }) => id)
  expect(available.sort()).toEqual([
    ...['closeFile', 'download', 'fitPicture', 'fullScreen', 'goUp', 'help', 'next'],
    ...['originalSize', 'pictureFacts', 'previous', 'rotatePicture', 'viewRaw'],
    ...['zoomIn', 'zoomOut'],
  ])
  session.user = null
})
