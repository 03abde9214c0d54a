/**
 * The service worker. It keeps the page itself, so that it opens and says what is wrong when the
 * server cannot be reached, and takes files that other apps hand over. It never sees the answers of
 * the API or people's files: those requests pass it by.
 */
import { keepShared, SHARED } from '#ui/lib/shared-files.ts'

declare const self: ServiceWorkerGlobalScope

/** What the page is made of, below the base path, the entry first. Written by the build. */
declare const SHELL: readonly string[]
/** Names this set of files. */
declare const SHELL_DIGEST: string

/** The address of the app, with a slash at its end. */
const SCOPE = self.registration.scope
/** Instances of one host share what the browser keeps, so each has its own names there. */
const SHELLS = `shell ${SCOPE} `
const SHELL_NAME = SHELLS + SHELL_DIGEST

/** The operator's own look: it may change at any time, and is there without the server too. */
const APPEARANCE = ['static/img/logo.svg', 'static/custom.css']

const SHARE_TARGET = 'share-target'
/** Everything else below the base path is the page. */
const NO_PAGE = /^(?:api|static|health)(?:\/|$)|^(?:manifest\.webmanifest|sw\.js)$/

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const path = pathOf(request.url)
  if (path === undefined) return
  if (request.method === 'POST' && path === SHARE_TARGET) event.respondWith(receive(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && !NO_PAGE.test(path)) event.respondWith(showPage(event))
  else if (SHELL.includes(path)) event.respondWith(showPart(request))
  else if (APPEARANCE.includes(path)) event.respondWith(showAppearance(request))
})

/** A new version takes its place at once: pages that are open have all they need of the old one. */
async function keepShell(): Promise<void> {
  const shell = await caches.open(SHELL_NAME)
  await shell.addAll(SHELL.map((path) => SCOPE + path))
  await keepPage(await fetch(SCOPE))
  await self.skipWaiting()
}

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(SHELLS) && name !== SHELL_NAME)
  await Promise.all(old.map((name) => caches.delete(name)))
  // Switched on by earlier versions. Each file that a page shows in a frame was asked for twice by it.
  await self.registration.navigationPreload?.disable()
  await self.clients.claim()
}

/** The server's page; the one that was kept when nothing answers. */
async function showPage(event: FetchEvent): Promise<Response> {
  try {
    const response = await fetch(event.request)
    event.waitUntil(keepPage(response.clone()))
    return response
  } catch {
    const shell = await caches.open(SHELL_NAME)
    return (await shell.match(SCOPE)) ?? Response.error()
  }
}

/** Keeps the page, with the name and the look of today, if it is made of the parts that are kept. */
async function keepPage(response: Response): Promise<void> {
  if (!response.ok || response.redirected) return
  const html = await response.clone().text()
  if (!SHELL[0] || !html.includes(SHELL[0])) return
  const shell = await caches.open(SHELL_NAME)
  await shell.put(SCOPE, response)
}

async function showPart(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL_NAME)
  return (await shell.match(request, { ignoreVary: true })) ?? fetch(request)
}

async function showAppearance(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL_NAME)
  try {
    const response = await fetch(request)
    if (response.ok) await shell.put(request, response.clone())
    return response
  } catch {
    return (await shell.match(request)) ?? Response.error()
  }
}

/** Another app hands files over: they wait here until the page asks where they go. */
async function receive(request: Request): Promise<Response> {
  const form = await request.formData()
  await keepShared(
    SCOPE,
    form.getAll('files').filter((value) => value instanceof File),
  )
  return Response.redirect(`${SCOPE}files/?${SHARED}=1`, 303)
}

/** The path below the base path, without a slash before it; undefined outside of the app. */
function pathOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url)
  const address = origin + pathname
  return address.startsWith(SCOPE) ? address.slice(SCOPE.length) : undefined
}
