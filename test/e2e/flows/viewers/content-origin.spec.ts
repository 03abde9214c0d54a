/** The content origin: files are served from it, and the interface shows them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { PDF } from '../../../support/files/documents.ts'
import { waveOf } from '../../../support/files/recordings.ts'
import { freePort } from '../../../support/server/ports.ts'
import { startServer } from '../../../support/server/server.ts'
import { test as base, expect } from '../../fixtures.ts'
import { OpenedFile } from '../../pages/OpenedFile.ts'

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: the pattern is the declaration
  server: async ({}, use) => {
    const port = String(await freePort())
    const server = await startServer({
      args: ['--port', port, '--bytes-origin', `http://localhost:${port}`],
    })
    await use(server)
    await server.stop()
  },
})

test('pictures and recordings are loaded from the content origin; PDF files and texts are shown too', async ({
  files,
  server,
  page,
}) => {
  const small = { create: { width: 60, height: 40, channels: 3, background: 'teal' } } as const
  const writeFile = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(server.root, name), content)
  writeFile('a.gif', await sharp(small).gif().toBuffer())
  writeFile('paper.pdf', PDF)
  writeFile('song.wav', waveOf(30))
  writeFile('notes.txt', 'words')
  await files.openRoot()
  await files.shows('a.gif', 'notes.txt', 'paper.pdf', 'song.wav')
  const opened = new OpenedFile(page)
  const contentOrigin = new URL(server.url)
  contentOrigin.hostname = 'localhost'
  const responseFor = (name: string) => waitForFile(page, contentOrigin.origin, name)

  await opened.open('/paper.pdf')
  await expect(opened.pdf('paper.pdf').getByText('Good morning')).toBeVisible()

  const song = responseFor('song.wav')
  await opened.open('/song.wav')
  await expect(opened.playerFrame('song.wav')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => opened.second('song.wav')).toBe(10)
  expect([200, 206]).toContain((await song).status())

  const picture = responseFor('a.gif')
  await opened.open('/a.gif')
  await expect
    .poll(() => opened.picture('a.gif').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(60)
  expect((await picture).status()).toBe(200)

  await opened.open('/notes.txt')
  await expect(opened.text('notes.txt')).toContainText('words')
})

/** The next response with the content of a file from this origin. */
function waitForFile(page: Page, origin: string, name: string) {
  return page.waitForResponse((response) => response.url().startsWith(`${origin}/api/raw/${name}`))
}
