/** Texts that are too large to be shown as a whole: their beginning and their end. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import type { Share } from '#wire/api/share.ts'
import { expect, test } from '../../fixtures.ts'

const LINES = Array.from({ length: 800_000 }, (_, index) => `line ${index} é\n`).join('')
const LAST = 'line 799999 é'
const END = new RegExp(`^line \\d+ é\\n.*\\n${LAST}\\n$`, 's')

const shownText = (page: Page, name: string) => page.getByRole('region', { name }).locator('pre')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('of a log of 11 MiB the beginning and the end are shown, whole lines, and what was added', async ({
  opened,
  page,
  server,
}) => {
  const path = join(server.root, 'server.log.1')
  writeFileSync(path, LINES)
  await opened.open('/server.log.1')
  await expect(page.getByText('This text is too large to be shown as a whole.')).toBeVisible()
  await button(page, 'Show the end').click()
  const text = shownText(page, 'server.log.1')
  await expect.poll(() => text.textContent()).toMatch(END)
  await expect(text).toBeInViewport()
  await expect(page.getByText('The last 1 MiB of 11.3 MiB')).toBeVisible()
  // The end is in view, not only loaded.
  const scroller = page.getByRole('region', { name: 'server.log.1' })
  const below = () =>
    scroller.evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
      Math.round(scrollHeight - scrollTop - clientHeight),
    )
  expect(await below()).toBeLessThan(2)

  appendFileSync(path, 'the newest line\n')
  await button(page, 'Show the end').click()
  await expect(text).toContainText('the newest line')
  await button(page, 'Show the beginning').click()
  await expect.poll(() => text.textContent()).toMatch(/^line 0 é\nline 1 é\n.* é\n$/s)
  await expect(page.getByText('The first 1 MiB of 11.3 MiB')).toBeVisible()
})

test('the end of a UTF-16 text is read as UTF-16', async ({ opened, page, server }) => {
  const path = join(server.root, 'export.csv')
  writeFileSync(path, Buffer.from(`\uFEFF${LINES}`, 'utf16le'))
  await opened.open('/export.csv')
  await button(page, 'Show the end').click()
  await expect.poll(() => shownText(page, 'export.csv').textContent()).toMatch(END)
})

test('a visitor of a link reads the end of a large text, too', async ({
  admin,
  browser,
  server,
}) => {
  writeFileSync(join(server.root, 'server.log'), LINES)
  const answer = await admin.call('POST', `${API.share}/server.log`, {})
  const { hash } = (await answer.json()) as Share
  const visitor = await browser.newPage()
  await visitor.goto(`${server.url}/share/${hash}`)
  await button(visitor, 'Show the end').click()
  await expect(shownText(visitor, 'server.log')).toContainText(LAST)
  // A log grows.
  appendFileSync(join(server.root, 'server.log'), 'the newest line\n')
  await button(visitor, 'Show the end').click()
  await expect(shownText(visitor, 'server.log')).toContainText('the newest line')
})
