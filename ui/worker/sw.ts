/**
 * The service worker. It caches the files of the interface, so that the page opens and shows an error while the
 * server is unreachable. It also receives files that other apps share. It does not handle requests of the API or of
 * users' files, so it never sees their responses.
 */

import { storeReceivedFiles } from '#ui/lib/urls/received-files.ts'
import { RECEIVED } from '#ui/lib/urls/share-target.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * The app shell: the files without which the page cannot start, as paths below the base path, the main script first.
 * Inserted by the build (scripts/service-worker.ts).
 */
declare const SHELL: readonly string[]
/** Identifies this set of files. */
declare const SHELL_DIGEST: string

/** The URL of the app, which is its base path on this host, with a slash at its end. */
const SCOPE = self.registration.scope
/** Instances on one host share the browser's cache storage, so each has its own cache names. */
const SHELLS = `shell ${SCOPE} `
const SHELL_NAME = SHELLS + SHELL_DIGEST

/** The administrator's branding: it may change at any time, and is also cached for use without the server. */
const BRANDING = ['static/img/logo.svg', 'static/custom.css']

const SHARE_TARGET = 'share-target'
/** Pages that contain a picture of a share, so that they are not cached as the page of all URLs. */
const SHARE_PAGE = /^share\//
/** URLs below the base path that do not show the page. */
const NOT_A_PAGE = /^(?:api|static|health)(?:\/|$)|^(?:manifest\.webmanifest|sw\.js)$/

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(activate())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const path = pathOf(request.url)
  if (path === undefined) return
  if (request.method === 'POST' && path === SHARE_TARGET) event.respondWith(receiveFiles(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && !NOT_A_PAGE.test(path))
    event.respondWith(respondWithPage(event))
  else if (SHELL.includes(path)) event.respondWith(respondWithFile(request))
  else if (BRANDING.includes(path)) event.respondWith(respondWithBranding(event))
})

/** Caches the files of this version, which activates at once: open pages have already loaded the old version. */
async function cacheShell(): Promise<void> {
  const shell = await caches.open(SHELL_NAME)
  await shell.addAll(SHELL.map((path) => SCOPE + path))
  await cachePage(await fetch(SCOPE))
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(SHELLS) && name !== SHELL_NAME)
  await Promise.all(old.map((name) => caches.delete(name)))
  // Earlier versions enabled navigation preload, which requested each file in a frame twice.
  await self.registration.navigationPreload?.disable()
  await self.clients.claim()
}

/** Returns the server's page, or the cached one if the server is unreachable. */
async function respondWithPage(event: FetchEvent): Promise<Response> {
  try {
    const response = await fetch(event.request)
    const path = pathOf(event.request.url) ?? ''
    if (!SHARE_PAGE.test(path)) event.waitUntil(cachePage(response.clone()))
    return response
  } catch {
    return (await findCached(SCOPE)) ?? Response.error()
  }
}

/** Caches the page with its current name and branding, if it refers to the cached files. */
async function cachePage(response: Response): Promise<void> {
  if (!response.ok || response.redirected) return
  const html = await response.clone().text()
  if (!SHELL[0] || !html.includes(SHELL[0])) return
  const shell = await caches.open(SHELL_NAME)
  await shell.put(SCOPE, response)
}

async function respondWithFile(request: Request): Promise<Response> {
  return (await findCached(request)) ?? fetch(request)
}

async function respondWithBranding(event: FetchEvent): Promise<Response> {
  try {
    const response = await fetch(event.request)
    // The page gets the response even if the disk of the device is full.
    if (response.ok) event.waitUntil(cacheBranding(event.request, response.clone()))
    return response
  } catch {
    return (await findCached(event.request)) ?? Response.error()
  }
}

async function cacheBranding(request: Request, response: Response): Promise<void> {
  const shell = await caches.open(SHELL_NAME)
  await shell.put(request, response)
}

/** @returns the cached response; undefined if there is none, or the browser refuses storage */
async function findCached(request: Request | string): Promise<Response | undefined> {
  try {
    const shell = await caches.open(SHELL_NAME)
    return await shell.match(request, { ignoreVary: true })
  } catch {
    return undefined
  }
}

/** Stores files that another app shares, until the page asks for their destination. */
async function receiveFiles(request: Request): Promise<Response> {
  const form = await request.formData()
  await storeReceivedFiles(
    SCOPE,
    form.getAll('files').filter((value) => value instanceof File),
  )
  return Response.redirect(`${SCOPE}files/?${RECEIVED}=1`, 303)
}

/** The path below the base path, without a leading slash; undefined outside of the app. */
function pathOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url)
  const fullUrl = origin + pathname
  return fullUrl.startsWith(SCOPE) ? fullUrl.slice(SCOPE.length) : undefined
}
