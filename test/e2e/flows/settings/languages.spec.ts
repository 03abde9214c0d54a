/** The interface in other languages: mirrored, chosen by the browser, and typed with an input method. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPO_ROOT } from '../../../support/server/executable.ts'
import { expect, test } from '../../fixtures.ts'
import { addUser } from '../../users.ts'

interface Messages {
  actions: { newFolder: string }
  activity: { filter: { until: string } }
  common: { calendar: string; cancel: string }
  login: { logIn: string; password: string; username: string }
  errors: { home: string }
  prompts: { newFolder: { act: string } }
  settings: { profile: { title: string } }
}

function messagesOf(code: string): Messages {
  return JSON.parse(readFileSync(join(REPO_ROOT, `ui/i18n/messages/${code}.json`), 'utf8'))
}

test('Arabic mirrors the page at once, and arrow keys follow the screen @spec-9.4', async ({
  files,
  page,
  server,
  settings,
}) => {
  const arabic = messagesOf('ar')
  for (const name of ['a (1).txt', 'b.txt', 'c.txt']) writeFileSync(join(server.root, name), '')
  await files.openRoot()
  await files.showAs('Grid')
  await settings.open('profile')
  await settings.field('Language').selectOption('ar')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await expect(page.getByRole('heading', { name: arabic.settings.profile.title })).toBeVisible()

  await page.getByRole('link', { name: arabic.errors.home }).first().click()
  const [first, second] = ['a (1).txt', 'b.txt'].map((name) =>
    page.getByText(name, { exact: true }),
  )
  const [sidebar, left, right] = await Promise.all(
    [page.getByRole('complementary'), second, first].map((one) => one?.boundingBox()),
  )
  expect(sidebar?.x).toBeGreaterThan(right?.x ?? Infinity)
  expect(right?.x).toBeGreaterThan(left?.x ?? Infinity)
  await first?.click()
  await page.keyboard.press('Shift+ArrowLeft')
  const chosen = page.getByRole('gridcell', { selected: true })
  await expect(chosen).toHaveCount(2)
  await expect(chosen.filter({ hasText: 'b.txt' })).toHaveCount(1)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
})

test.describe('with other users', () => {
  test.use({ ownServer: true })

  test('in Arabic, a Latin name in the finder is beside its icon', async ({
    page,
    server,
    settings,
  }) => {
    writeFileSync(join(server.root, 'anabasis.txt'), '')
    const ana = await addUser(server, 'ana')
    await settings.open('profile')
    await settings.field('Language').selectOption('ar')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('dialog').getByRole('combobox').fill('ana')
    for (const name of [ana, 'anabasis.txt']) {
      const row = page.getByRole('option').filter({ hasText: new RegExp(`^${name}`) })
      const gap = await row.evaluate((element, text) => {
        const named = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        let words = ''
        // The name of a file is in pieces, of which the found words are marked.
        for (let node = named.nextNode(); node && words !== text; node = named.nextNode()) {
          if (words === '') range.setStart(node, 0)
          range.setEndAfter(node)
          words += node.textContent
        }
        const icon = element.querySelector('svg')?.getBoundingClientRect().left ?? Number.NaN
        return icon - range.getBoundingClientRect().right
      }, name)
      expect(gap).toBeLessThan(32)
    }
  })
})

/** The file with the texts of a language. */
const textsOf = (code: string) => new RegExp(`/${code}-[^/]*\\.js$`)

test('of two languages that are chosen quickly, the last one is shown', async ({
  page,
  settings,
}) => {
  await settings.open('profile')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(textsOf('de'), async (route) => {
    await released
    await route.continue()
  })
  const requested = page.waitForRequest(textsOf('de'))
  const loaded = page.waitForResponse(textsOf('de'))
  await settings.field('Language').selectOption('de')
  await requested
  await settings.field('Language').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  release()
  await (await loaded).finished()
  // Its texts are evaluated before the import in the page resolves.
  await page.evaluate((url) => import(url), (await loaded).url())
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

test('if the texts of a language cannot be loaded, the page is in English', async ({
  page,
  settings,
}) => {
  const german = messagesOf('de')
  await settings.open('profile')
  await settings.field('Language').selectOption('de')
  await expect(page.getByRole('heading', { name: german.settings.profile.title })).toBeVisible()
  await page.route(textsOf('de'), (route) => route.abort())
  await page.reload()
  await expect(settings.field('Language')).toHaveValue('de')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
})

test('dates are typed and picked in the language of the account, and not of the browser', async ({
  page,
  settings,
}) => {
  const german = messagesOf('de')
  await settings.open('profile')
  await settings.field('Language').selectOption('de')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await settings.open('activity')
  const until = page.getByLabel(german.activity.filter.until)
  await until.fill('24.12.2026')
  await expect(page).toHaveURL(/\?until=2026-12-24$/)
  await until.fill('morgen')
  await expect(until).toHaveAttribute('aria-invalid', 'true')
  await until.blur()
  await expect(until).toHaveValue('24.12.2026')

  await until.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: german.common.calendar })
  await expect(calendar.getByRole('heading')).toHaveText('Dezember 2026')
  await expect(calendar.getByRole('columnheader').first()).toHaveText('Mo')
  await expect(
    calendar.getByRole('button', { name: 'Donnerstag, 24. Dezember 2026' }),
  ).toBeFocused()
  await page.keyboard.press('PageUp')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(calendar).toBeHidden()
  await expect(until).toHaveValue('23.11.2026')
  await expect(page).toHaveURL(/\?until=2026-11-23$/)

  await page.getByRole('button', { name: german.common.calendar }).first().click()
  await expect(calendar.getByRole('button', { name: 'Dienstag, 24. November 2026' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(calendar).toBeHidden()
  await until.fill('')
  await expect(page).toHaveURL(/activity$/)
})

test.describe('a browser in Japanese', () => {
  test.use({ locale: 'ja-JP' })

  test('a browser in Japanese gets the interface in Japanese, and an input method keeps its keys @spec-9.4', async ({
    page,
    server,
  }) => {
    const japanese = messagesOf('ja')
    await page.goto('./login')
    await page.getByLabel(japanese.login.username).fill(server.username)
    await page.getByLabel(japanese.login.password, { exact: true }).fill(server.password)
    await page.getByRole('button', { name: japanese.login.logIn, exact: true }).click()
    await page.getByRole('button', { name: japanese.actions.newFolder }).first().click()
    const prompt = page.getByRole('dialog')
    await expect(prompt.getByRole('textbox')).toBeFocused()

    const keys = await page.context().newCDPSession(page)
    const selection = { selectionStart: 3, selectionEnd: 3 }
    await keys.send('Input.imeSetComposition', { text: 'にほん', ...selection })
    // The keys with which a user accepts and cancels the text of an input method.
    for (const key of ['Enter', 'Escape']) {
      await keys.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key,
        windowsVirtualKeyCode: 229,
      })
    }
    await expect(prompt.getByRole('textbox')).toHaveValue('にほん')
    await keys.send('Input.insertText', { text: '日本' })
    await expect(prompt.getByRole('textbox')).toHaveValue('日本')
    await prompt.getByRole('button', { name: japanese.prompts.newFolder.act }).click()
    await expect(page.getByText('日本', { exact: true }).first()).toBeVisible()
  })
})
