/** What goes on around a screen: things being uploaded, a slow line, a server that does not answer. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { FAULT_HEADER } from '#wire/session.ts'
import type { Stage } from './stage.ts'
import { age, INBOX, UPLOADS } from './tree.ts'

let days = 0

/**
 * Shows a folder for uploads with nothing in it but `holding`: a new one each time, so that no
 * upload goes on where that of another screen broke off.
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
    holding[0] ? files.row(holding[0]) : page.getByText('It feels lonely here'),
  ).toBeVisible()
}

/** Chooses all that waits to be uploaded. */
export async function upload({ files, outbox, narrow }: Stage): Promise<void> {
  const picked = Object.keys(UPLOADS).map((name) => join(outbox, name))
  await (narrow ? files.uploadByAdd(picked) : files.upload('Files', picked))
}

/** The file that is being uploaded changes on the person's machine. */
export function changeUpload({ outbox }: Stage, name: keyof typeof UPLOADS): void {
  appendFileSync(join(outbox, name), 'more')
}

/** Folders are asked for and never come. */
export async function holdListing(page: Page): Promise<void> {
  await page.route('**/api/resources/**', () => {})
}

/** Folders cannot be asked for. */
export async function dropConnection(page: Page): Promise<void> {
  await page.route('**/api/resources/**', (route) => route.abort())
}

/** Nothing may be deleted. */
export async function forbidDeleting(page: Page): Promise<void> {
  await page.route('**/api/resources/**', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 403 }) : route.continue(),
  )
}

/** Somebody else has saved another text: this one's is refused, and theirs is read. */
export async function changeMeanwhile(page: Page): Promise<void> {
  await page.route('**/api/resources/**', async (route) => {
    if (route.request().method() === 'PUT') {
      return route.fulfill({ status: 412, headers: { [FAULT_HEADER]: 'precondition' } })
    }
    const answer = await route.fetch()
    const entry: unknown = await answer.json()
    if (!isText(entry)) return route.fulfill({ response: answer })
    const content = entry.content.replace('0.040', '0.025').replace('\n\n\n', '\n\n')
    const size = new TextEncoder().encode(content).length
    return route.fulfill({ response: answer, json: { ...entry, content, size } })
  })
}

function isText(entry: unknown): entry is { content: string } {
  return typeof entry === 'object' && entry !== null && 'content' in entry
}
