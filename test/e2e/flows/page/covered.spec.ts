/** Nothing that a user needs is cut off or covered: by the “+” button, by a card, or by the edge of the window. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { API } from '#wire/api/routes.ts'
import { signIn } from '../../../support/server/client.ts'
import { gate } from '../../../support/storage/gate.ts'
import { expect, test } from '../../fixtures.ts'

test.describe('in a narrow window', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the row of settings scrolls to the link of the shown screen', async ({
    page,
    settings,
  }) => {
    await settings.open('profile')
    await settings.field('Language').selectOption('de')
    await page.goto('./settings/users')
    const link = page.getByRole('navigation', { name: 'Einstellungen' }).getByText('Benutzer')
    await expect(link).toBeInViewport({ ratio: 1 })
  })

  test('the “+” button does not cover the button that shows a README', async ({
    files,
    page,
    server,
  }) => {
    writeFileSync(join(server.root, 'README.md'), '# Here')
    await files.openRoot()
    const show = page.getByRole('button', { name: 'Show README.md' })
    const add = page.getByRole('button', { name: 'Add', exact: true })
    expect(await areApart(show, add)).toBe(true)
  })

  test('the “+” button does not cover the last line of a README after scrolling', async ({
    files,
    page,
    server,
  }) => {
    const lines = Array.from({ length: 60 }, (_, number) => `Line ${number}. ${'long '.repeat(40)}`)
    writeFileSync(join(server.root, 'README.md'), lines.join('\n\n'))
    await files.openRoot()
    await page.getByRole('button', { name: 'Show README.md' }).click()
    const last = page.getByText('Line 59.')
    await expect(last).toBeVisible()
    await page.getByRole('region', { name: 'Text of README.md' }).focus()
    await page.keyboard.press('End')
    await expect(last).toBeInViewport({ ratio: 1 })
    const add = page.getByRole('button', { name: 'Add', exact: true })
    await expect.poll(() => areApart(last, add)).toBe(true)
  })

  test('a red button is the last one of its dialog', async ({ server, settings }) => {
    for (let count = 0; count < 2; count += 1)
      await signIn(server.url, server.username, server.password)
    await settings.open('profile')
    await settings.button('Log out all others').click()
    const [cancel, end] = [
      settings.prompt.button('Cancel'),
      settings.prompt.card.getByRole('button', { name: /^Log out \d/ }),
    ]
    await expect(end).toBeInViewport({ ratio: 1 })
    const heightOf = async (button: Locator) => (await button.boundingBox())?.y ?? 0
    expect(await heightOf(end)).toBeGreaterThan(await heightOf(cancel))
  })

  test('an open README follows the last entry without a gap', async ({ files, page, server }) => {
    for (let index = 100; index < 140; index += 1) writeFileSync(join(server.root, `z${index}`), '')
    writeFileSync(join(server.root, 'README.md'), '# Here')
    await files.openRoot()
    await page.getByRole('button', { name: 'Show README.md' }).click()
    const readme = page.getByRole('region', { name: 'README.md', exact: true })
    await files.grid.focus()
    await page.keyboard.press('End')
    const gap = async () => {
      const [last, text] = [await files.row('z139').boundingBox(), await readme.boundingBox()]
      return (text?.y ?? 1000) - (last ? last.y + last.height : 0)
    }
    await expect.poll(gap).toBeLessThan(40)
  })
})

test.describe('the first steps', () => {
  test.use({ firstSteps: true })

  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`the first steps cover no row of the list at ${size.width} px`, async ({
      files,
      page,
      server,
    }) => {
      for (let index = 100; index < 140; index += 1) mkdirSync(join(server.root, `folder ${index}`))
      await page.setViewportSize(size)
      await files.openRoot()
      const card = page.getByRole('region', { name: 'First steps' })
      await expect(card).toBeVisible()
      const expand = card.getByRole('button', { name: 'Expand first steps' })
      for (const isOpen of [false, true]) {
        if (isOpen && (await expand.isVisible())) await expand.click()
        await expect.poll(async () => areApart(files.grid, card)).toBe(true)
      }
      const step = card.getByRole('link').first()
      await expect(step).toBeInViewport({ ratio: 1 })
    })
  }

  test('the first steps move no row when they appear, at 390 px', async ({
    files,
    page,
    server,
  }) => {
    mkdirSync(join(server.root, 'folder'))
    const { opened, open } = gate()
    await page.route(`**${API.firstSteps}`, async (route) => {
      await opened
      await route.continue()
    })
    await page.setViewportSize({ width: 390, height: 844 })
    await files.openRoot()
    const row = files.row('folder')
    await expect(row).toBeVisible()
    const before = await row.boundingBox()
    open()
    await expect(page.getByRole('region', { name: 'First steps' })).toBeVisible()
    expect(await row.boundingBox()).toEqual(before)
  })

  for (const view of ['List', 'Grid'] as const) {
    test(`the first steps do not cover the last entry of a folder after scrolling, in the view ${view}`, async ({
      files,
      page,
      server,
    }) => {
      for (let index = 100; index < 200; index += 1) mkdirSync(join(server.root, `folder ${index}`))
      await files.openRoot()
      const card = page.getByRole('region', { name: 'First steps' })
      await expect(card).toBeVisible()
      await files.showAs(view)
      await files.grid.focus()
      await page.keyboard.press('End')
      const last = view === 'List' ? files.row('folder 199') : files.tile('folder 199')
      await expect(last).toBeInViewport({ ratio: 1 })
      expect(await areApart(last, card)).toBe(true)
    })
  }

  test('the first steps keep the option of the command line left to right and on one line', async ({
    page,
    settings,
  }) => {
    await page.route('**/api/first-steps', (route) =>
      route.fulfill({
        json: { isDue: true, changePassword: true, addPeople: true, hosts: [] },
      }),
    )
    await settings.open('profile')
    await settings.field('Language').selectOption('ar')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await page.goto('./files/')
    const option = page.getByText('--address 0.0.0.0', { exact: true })
    await expect(option).toHaveCSS('direction', 'ltr')
    const lines = await option.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getClientRects().length
    })
    expect(lines).toBe(1)
  })
})

test.describe('where a second factor is needed soon', () => {
  test.use({ ownServer: true })

  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test(`the message about it covers no row of the list, and stays closed, at ${size.width} px`, async ({
      admin,
      files,
      page,
      server,
    }) => {
      const required = { secondFactorFor: 'all', secondFactorFrom: '2099-01-01' }
      expect((await admin.call('PUT', '/api/settings', required)).status).toBe(200)
      for (let index = 100; index < 140; index += 1) mkdirSync(join(server.root, `folder ${index}`))
      await page.setViewportSize(size)
      await files.openRoot()
      const note = page.getByRole('region', { name: 'Two-factor login' })
      await expect(note).toBeInViewport({ ratio: 1 })
      expect(await areApart(files.grid, note)).toBe(true)
      await files.grid.focus()
      await page.keyboard.press('End')
      await expect(files.row('folder 139')).toBeInViewport({ ratio: 1 })
      expect(await areApart(files.row('folder 139'), note)).toBe(true)

      await note.getByRole('link', { name: 'Set up…' }).click()
      await expect(page).toHaveURL(/\/settings\/profile$/)
      // The profile is there: it has a group of the same name, besides the message.
      await expect(note).toHaveCount(2)
      const onProfile = note.filter({ hasText: 'your password alone is not enough' })
      await expect(onProfile).toBeInViewport({ ratio: 1 })
      await onProfile.getByRole('button', { name: 'Close' }).click()
      await page.goBack()
      await expect(files.status).toBeVisible()
      await expect(note).toHaveCount(0)
    })
  }
})

/** Whether the boxes of two elements share no point. */
async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()]
  if (!a || !b) throw new Error('An element is not visible.')
  const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x
  return isBeside || a.y + a.height <= b.y || b.y + b.height <= a.y
}
