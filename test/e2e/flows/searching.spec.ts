import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { test as base, expect } from '../fixtures.ts'
import { SearchBox } from '../pages/SearchBox.ts'

const test = base.extend<{ search: SearchBox }>({
  search: async ({ page }, use) => {
    await use(new SearchBox(page))
  },
})

const MANY = 120

test.beforeEach(({ server }) => {
  for (const folder of ['docs/fjord pictures', 'docs/a#b%', 'many']) {
    mkdirSync(join(server.root, folder), { recursive: true })
  }
  const files = [
    'fjord.txt',
    'docs/fjord.jpg',
    'docs/a#b%/fjord.mp3',
    'docs/fjord.PDF',
    'other.jpg',
  ]
  for (const file of files) writeFileSync(join(server.root, file), 'x')
  for (let at = 0; at < MANY; at += 1)
    writeFileSync(join(server.root, 'many', `note ${at}.txt`), '')
})

/** Paths of what was found, in no order. */
async function found(search: SearchBox): Promise<string[]> {
  const titles = await search.results.evaluateAll((all) =>
    all.map((one) => one.getAttribute('title') ?? ''),
  )
  return titles.toSorted()
}

test('Enter finds names below the folder, and links lead to them', async ({
  files,
  search,
  page,
}) => {
  await files.open('/docs')
  await search.open()
  await search.run('FJORD')
  await expect(search.status).toContainText('4 found')
  expect(await found(search)).toEqual([
    './a#b%/fjord.mp3',
    './fjord pictures',
    './fjord.PDF',
    './fjord.jpg',
  ])
  await expect(search.results.filter({ hasText: 'fjord pictures' })).toHaveAttribute(
    'href',
    '/files/docs/fjord%20pictures/',
  )
  await search.results.filter({ hasText: 'fjord.mp3' }).click()
  await expect(search.card).toBeHidden()
  await expect(page).toHaveURL(/\/files\/docs\/a%23b%25\/fjord\.mp3$/)
  await page.goBack()
  await search.open()
  await expect(search.field).toHaveValue('FJORD')
  await expect(search.results).toHaveCount(4)
})

test('types narrow it, and all files widen it', async ({ files, search }) => {
  await files.open('/docs')
  await search.open()
  await search.run('')
  await expect(search.status).not.toContainText('found')
  await search.chip('Images').click()
  await expect(search.field).toHaveValue('type:image ')
  await expect(search.chip('Images')).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => found(search)).toEqual(['./fjord.jpg'])
  await search.button(/^Searching in docs/).click()
  await expect.poll(() => found(search)).toEqual(['./docs/fjord.jpg', './other.jpg'])
  await search.chip('Audio').click()
  await expect
    .poll(() => found(search))
    .toEqual(['./docs/a#b%/fjord.mp3', './docs/fjord.jpg', './other.jpg'])
  await search.chip('Images').click()
  await expect.poll(() => found(search)).toEqual(['./docs/a#b%/fjord.mp3'])
  await search.run('"no such name"')
  await expect(search.card).toContainText('No results.')
})

test('the keyboard alone opens it, walks it, opens a hit and comes back', async ({
  files,
  search,
  page,
}) => {
  await files.select('fjord.txt')
  await page.keyboard.press('/')
  await expect(search.field).toBeFocused()
  await page.keyboard.type('fjord')
  await page.keyboard.press('Enter')
  await expect(search.results).toHaveCount(5)
  const first = await search.chosen.getAttribute('title')
  await page.keyboard.press('ArrowDown')
  await expect(search.chosen).not.toHaveAttribute('title', first ?? '')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(search.results.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(search.card).toBeHidden()
  await expect(files.grid).toBeFocused()
  await page.keyboard.press('ControlOrMeta+Shift+f')
  await expect(search.field).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('other.jpg')
  await page.keyboard.press('Enter')
  await expect(search.results).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/files\/other\.jpg$/)
  await expect(search.card).toBeHidden()
})

test('fifty are shown, and fifty more near the end', async ({ files, search, page }) => {
  await files.open('/many')
  await search.open()
  await search.run('note')
  await expect(search.results).toHaveCount(50)
  await expect(search.status).toContainText(`First 50 of ${MANY}`)
  await search.results.last().scrollIntoViewIfNeeded()
  await expect(search.results).toHaveCount(100)
  await page.keyboard.press('ArrowUp')
  await expect(search.results).toHaveCount(MANY)
  await expect(search.status).toContainText(`${MANY} found`)
})

test('hits come as they are found, and a stop keeps them', async ({ files, search, page }) => {
  const line = await dripSearch(page)
  await files.open('/')
  await search.open()
  await search.run('fjord')
  await expect(search.button('Stop')).toBeVisible()
  await line('{"dir":false,"path":"one/fjord.txt"}\n\n')
  await expect(search.results).toHaveCount(1)
  await expect(search.status).toContainText('1 found')
  await line('{"dir":true,"pa')
  await expect(search.results).toHaveCount(1)
  await line('th":"two/fjord"}\n')
  await expect(search.status).toContainText('2 found')
  await search.button('Stop').click()
  await expect(search.status).toContainText('Stopped · 2 found')
  await expect(search.button('Stop')).toBeHidden()
  expect(await line('')).toBe('stopped')
})

test('a search that breaks off says so, keeps what it has, and can be run again', async ({
  files,
  search,
  page,
}) => {
  const line = await dripSearch(page)
  await files.open('/')
  await search.open()
  await search.run('fjord')
  await line('{"dir":false,"path":"fjord.txt"}\n')
  await line(null)
  await expect(search.card.getByRole('alert')).toContainText('was interrupted')
  await expect(search.results).toHaveCount(1)
  await search.button('Try again').click()
  await expect(search.button('Stop')).toBeVisible()
})

/**
 * Searches get no answer but what the returned function sends; null breaks the line. It tells
 * whether the page still listens.
 */
async function dripSearch(page: Page) {
  await page.addInitScript(() => {
    const plain = window.fetch
    const lines: ReadableStreamDefaultController<Uint8Array>[] = []
    let state = 'listening'
    const dripping: typeof plain = Object.assign(async (...call: Parameters<typeof plain>) => {
      if (!String(call[0]).includes('/api/search/')) return plain(...call)
      call[1]?.signal?.addEventListener('abort', () => {
        state = 'stopped'
      })
      return new Response(
        new ReadableStream({ start: (controller) => void lines.push(controller) }),
      )
    }, plain)
    window.fetch = dripping
    Reflect.set(window, 'drip', (text: string | null) => {
      const line = lines.at(-1)
      if (text === null) line?.error(new TypeError('broken'))
      else if (state === 'listening') line?.enqueue(new TextEncoder().encode(text))
      return state
    })
  })
  return (text: string | null): Promise<unknown> =>
    page.evaluate((sent) => Reflect.get(window, 'drip')(sent), text)
}
