/** The content origin: files are served from it, and the interface shows them. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { PDF } from '../../support/documents.ts'
import { waveOf } from '../../support/recordings.ts'
import { startServer } from '../../support/server.ts'
import { test as base, expect } from '../fixtures.ts'
import { OpenedFile } from '../pages/OpenedFile.ts'

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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

test('pictures, recordings and documents are shown from the content origin, and texts can be edited', async ({
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
  await page.reload()
  await files.shows('a.gif', 'notes.txt', 'paper.pdf', 'song.wav')
  const opened = new OpenedFile(page)
  const elsewhere = new URL(server.url)
  elsewhere.hostname = 'localhost'
  const shown = (name: string) => bytesOf(page, elsewhere.origin, name)

  await opened.open('/paper.pdf')
  await expect(opened.pdf('paper.pdf').getByText('Good morning')).toBeVisible()

  const song = shown('song.wav')
  await opened.open('/song.wav')
  await expect(opened.playerFrame('song.wav')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => opened.second('song.wav')).toBe(10)
  expect([200, 206]).toContain((await song).status())

  const picture = shown('a.gif')
  await opened.open('/a.gif')
  await expect
    .poll(() => opened.picture('a.gif').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(60)
  expect((await picture).status()).toBe(200)

  await opened.open('/notes.txt')
  await expect(opened.text('notes.txt')).toContainText('words')
})

function bytesOf(page: Page, origin: string, name: string) {
  return page.waitForResponse((response) => response.url().startsWith(`${origin}/api/raw/${name}`))
}
