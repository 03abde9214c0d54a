/** Brings about the state of a screen: an open folder, running uploads, responses of the server that are held or changed. */
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import type { Stage } from './stage.ts'
import { age, INBOX, PICTURES, PROJECT, UPLOADS } from './tree.ts'

let days = 0

/**
 * Shows a folder for uploads that contains only the files `holding`. It is a new folder each time, so that no
 * upload resumes an unfinished one of another screen.
 */
export async function openInbox(
  { files, root, page }: Stage,
  { holding = [] }: { holding?: readonly string[] } = {},
): Promise<void> {
  days += 1
  const folder = `${INBOX}/Day ${days}`
  const inbox = join(root, folder)
  mkdirSync(inbox)
  for (const [at, name] of holding.entries()) {
    writeFileSync(join(inbox, name), new Uint8Array(1_900_000 + 700_000 * at))
    age(join(inbox, name), 30 + 400 * at)
  }
  await files.open(folder)
  await expect(
    holding[0] ? files.row(holding[0]) : page.getByText('This folder is empty'),
  ).toBeVisible()
}

/** Shows the folder that most screens use. */
export async function openProject({ files }: Stage): Promise<void> {
  await files.open(PROJECT)
  await expect(files.status).toContainText('files')
  await expect(files.thumbnails).toHaveCount(Object.keys(PICTURES).length)
}

/** Selects entries of the project and presses the key of an action, which opens a dialog. */
export async function ask(stage: Stage, key: string, ...names: string[]): Promise<void> {
  await openProject(stage)
  await stage.files.select(...names)
  await stage.page.keyboard.press(key)
  await expect(stage.files.prompt.card).toBeVisible()
}

/** Uploads the files of `outbox`. */
export async function upload({ files, outbox, isNarrow }: Stage): Promise<void> {
  const picked = Object.keys(UPLOADS).map((name) => join(outbox, name))
  await (isNarrow ? files.uploadByAdd(picked) : files.upload('Files', picked))
}

/** Changes a file on the user's computer while it is uploaded. */
export function changeUpload({ outbox }: Stage, name: keyof typeof UPLOADS): void {
  appendFileSync(join(outbox, name), 'more')
}

/** Shows folders in this view. The server does not store it, so that the next screen begins with the list. */
export async function showAs({ page, files }: Stage, view: 'Grid' | 'Photos'): Promise<void> {
  await page.route('**/api/users/*', (route) => route.fulfill({ body: '' }))
  await files.showAs(view)
}

/** Makes a public link. @returns the address of its page, from the base URL */
export async function makeLink({ page, url }: Stage, path: string, password = ''): Promise<string> {
  await page.goto('./403')
  const token = await page.evaluate((key) => localStorage.getItem(key), TOKEN_STORAGE_KEY)
  const answer = await page.request.post(`${url}/api/share${toUrlPath(parsePath(path))}`, {
    headers: { 'X-Auth': token ?? '' },
    data: { password },
  })
  // The response is a Share.
  const { hash } = (await answer.json()) as { hash: string }
  return `./share/${hash}`
}

/** Makes the login page offer sign-up. */
export async function openSignUp(page: Page): Promise<void> {
  await page.route('**/login', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"Signup":false', '"Signup":true')
    return route.fulfill({ response: answer, body })
  })
}

/** Makes the server require a second factor soon, which the user does not have. */
export async function requireSecondFactor(page: Page): Promise<void> {
  const status = { since: '', recoveryCodes: 0, passkeyHosts: [], requiredFrom: '2025-12-01' }
  await page.route('**/api/second-factor', (route) => route.fulfill({ json: status }))
  await page.route('**/files/', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"SecondFactorDue":false', '"SecondFactorDue":true')
    return route.fulfill({ response: answer, body })
  })
}

/** Makes the login page offer passkeys; the server at this URL makes no challenge for an IP address. */
export async function offerPasskeys(page: Page, url: string): Promise<void> {
  await page.route('**/api/login/passkey/options', () => {})
  await page.route('**/login', async (route) => {
    const answer = await route.fetch()
    const origin = JSON.stringify(new URL(url).origin)
    const body = (await answer.text()).replace('"PasskeyOrigin":""', `"PasskeyOrigin":${origin}`)
    return route.fulfill({ response: answer, body })
  })
}

/** Leaves requests for listings without a response. */
export async function holdListing(page: Page): Promise<void> {
  await page.route('**/api/resources/**', () => {})
}

/** Makes requests for listings fail. */
export async function dropConnection(page: Page): Promise<void> {
  await page.route('**/api/resources/**', (route) => route.abort())
}

/** Unfinished uploads by name: their bytes, the fraction that the server has, and the time. */
const STOPPED = {
  'drone-rushes-day-05.mov': [3.1 * 2 ** 30, 0.62, '2025-11-18T11:20:00Z'],
  'interview-ingrid-take-3.wav': [412 * 2 ** 20, 0.35, '2025-11-18T11:20:00Z'],
  'master-archive-2026.tar.zst': [842 * 2 ** 20, 0.08, '2025-11-17T18:05:00Z'],
  'panorama-reine.tif': [96 * 2 ** 20, 0.91, '2025-11-17T18:02:00Z'],
} as const

/** Makes the page find unfinished uploads of an earlier page, of which the server still has the bytes. */
export async function leaveUploads(page: Page): Promise<void> {
  const rows = Object.entries(STOPPED).map(([name, [size, , at]]) => ({
    ...{ userId: 1, path: `${INBOX}/${name}`, relativePath: name, override: false },
    ...{ name, size, lastModified: 1, atMs: Date.parse(at), page: 'earlier' },
    begun: { key: name, id: name },
  }))
  await page.addInitScript((stored) => {
    localStorage.setItem('filemgr.uploads', stored)
  }, JSON.stringify(rows))
  await page.route('**/api/tus/**', (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')
    const [size, fraction] = STOPPED[name as keyof typeof STOPPED]
    const encoded = (text: string) => Buffer.from(text).toString('base64')
    return route.fulfill({
      headers: {
        'Upload-Length': String(size),
        'Upload-Offset': String(Math.round(size * fraction)),
        'Upload-Metadata': `key ${encoded(name)},filename ${encoded(name)},lastModified ${encoded('1')}`,
      },
    })
  })
}

/** Stores files as the service worker does when another app shares them to this one. */
export async function storeReceivedFiles(page: Page, ...names: string[]): Promise<void> {
  await page.evaluate(async (all) => {
    const cache = await caches.open(`shared ${document.baseURI}`)
    for (const name of all) {
      const headers = { 'X-Name': encodeURIComponent(name), 'X-Modified': '0' }
      await cache.put(`shared/${name}`, new Response(name, { headers }))
    }
  }, names)
}

/** Makes the server refuse deletions. */
export async function forbidDeleting(page: Page): Promise<void> {
  await page.route('**/api/resources/**', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 403 }) : route.continue(),
  )
}

/** Changes a file as another user would. @returns a function that restores the file for the screens that follow */
export function changeMeanwhile(path: string): () => void {
  const { mtime } = statSync(path)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace('0.040', '0.025').replace('\n\n\n', '\n\n'))
  return () => {
    writeFileSync(path, text)
    utimesSync(path, mtime, mtime)
  }
}
