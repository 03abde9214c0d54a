import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import sharp from 'sharp'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER, TOKEN_STORAGE_KEY } from '#wire/api/session.ts'
import { bookOf } from '../../../support/files/books.ts'
import { filmFrom } from '../../../support/files/films.ts'
import { waveOf } from '../../../support/files/recordings.ts'
import { signIn } from '../../../support/server/client.ts'
import { test as base, expect } from '../../fixtures.ts'
import { Finger } from '../../pages/Finger.ts'
import { OpenedFile } from '../../pages/OpenedFile.ts'

const test = base.extend<{ writeFiles: (files: FilesToWrite) => void }>({
  writeFiles: async ({ server }, use) => {
    await use((files) => {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(join(server.root, name, '..'), { recursive: true })
        writeFileSync(join(server.root, name), content)
      }
    })
  },
})

type FilesToWrite = Record<string, string | Uint8Array>

/** In windows-1252, which the server does not decode: the page requests the bytes. */
const BYTES_OF_LATIN = /\/api\/raw\/.*latin\.txt/

test.describe('a text', () => {
  test('a text is edited and saved, and reopens with the change @spec-2.14', {
    tag: '@both',
  }, async ({ opened, writeFiles, page, server }) => {
    writeFiles({ 'notes.txt': 'first\r\nsecond\r\n' })
    await opened.open('/notes.txt')
    await opened.text('notes.txt').click()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('zeroth ')
    await expect(opened.unsaved).toBeVisible()
    await expect(page).toHaveTitle(/^• notes\.txt/)
    await opened.save()
    expect(readFileSync(join(server.root, 'notes.txt'), 'utf8')).toBe('zeroth first\r\nsecond\r\n')
    await page.reload()
    await expect(opened.text('notes.txt')).toContainText('zeroth first')
  })

  test('a text that another user has changed is not overwritten @spec-10.6', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    writeFiles({ 'plan.txt': 'first\nours\n' })
    await opened.open('/plan.txt')
    await opened.rewrite('plan.txt', 'mine')
    const other = await signIn(server.url, server.username, server.password)
    await other.call('PUT', `${API.resources}/plan.txt`, 'theirs\n')
    await page.keyboard.press('ControlOrMeta+s')
    await expect(opened.prompt.card).toContainText('was changed on the server')
    await expect(opened.prompt.card.getByRole('cell', { name: 'theirs' })).toBeVisible()
    await expect(opened.prompt.card.getByRole('cell', { name: 'mine' })).toBeVisible()
    await opened.prompt.button('Save under another name…').click()
    await opened.prompt.button('Save').click()
    await opened.shows('plan(1).txt')
    await expect(opened.text('plan(1).txt')).toContainText('mine')
    expect(readFileSync(join(server.root, 'plan.txt'), 'utf8')).toBe('theirs\n')
    expect(readFileSync(join(server.root, 'plan(1).txt'), 'utf8')).toBe('mine')
  })

  test('a text keeps its lines if it is replaced by one with other line breaks', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    writeFiles({ 'notes.txt': 'first\r\nsecond\r\n' })
    await opened.open('/notes.txt')
    const main = page.getByRole('main')
    await expect(main.getByText('· CRLF ·')).toBeVisible()
    await opened.rewrite('notes.txt', 'mine')
    const other = await signIn(server.url, server.username, server.password)
    await other.call('PUT', `${API.resources}/notes.txt`, 'one\ntwo\nthree\n')
    await page.keyboard.press('ControlOrMeta+s')
    await opened.prompt.button('Use the server version').click()
    await expect(main.getByText('4 lines')).toBeVisible()
    await expect(main.getByText('· LF ·')).toBeVisible()
    await opened.text('notes.txt').click()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('zero\n')
    await opened.save()
    expect(readFileSync(join(server.root, 'notes.txt'), 'utf8')).toBe('zero\none\ntwo\nthree\n')
  })

  test('a text that is converted to UTF-8 is saved as UTF-8, also after an undo', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    writeFiles({ 'notes.txt': Buffer.from('café', 'latin1') })
    await opened.open('/notes.txt')
    await page.getByRole('button', { name: 'Edit as UTF-8' }).click()
    await expect(opened.unsaved).toBeVisible()
    await opened.text('notes.txt').click()
    await page.keyboard.type('x')
    await expect(opened.text('notes.txt')).toContainText('x')
    await page.keyboard.press('ControlOrMeta+z')
    await expect(opened.text('notes.txt')).toHaveText('café')
    await opened.save()
    expect(readFileSync(join(server.root, 'notes.txt'), 'utf8')).toBe('café')
  })

  test('a text that was left before it was loaded is shown when it is opened again', async ({
    files,
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles({ 'docs/latin.txt': Buffer.from('café', 'latin1') })
    await files.open('/docs')
    let release = () => {}
    const isLeft = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(BYTES_OF_LATIN, async (route) => {
      await isLeft
      await route.continue()
    })
    const requested = page.waitForRequest(BYTES_OF_LATIN)
    await files.row('latin.txt').dblclick()
    await requested
    await page.goBack()
    await files.shows('latin.txt')
    const late = page.waitForResponse(BYTES_OF_LATIN)
    release()
    await (await late).finished()
    await files.row('latin.txt').dblclick()
    await expect(opened.text('latin.txt')).toHaveText('café')
  })

  test('a text that could not be read can be read again', async ({ opened, writeFiles, page }) => {
    writeFiles({ 'latin.txt': Buffer.from('café', 'latin1') })
    await page.route(BYTES_OF_LATIN, (route) => route.fulfill({ status: 500 }), { times: 1 })
    await opened.open('/latin.txt')
    await expect(page.getByText('This text cannot be shown')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(opened.text('latin.txt')).toHaveText('café')
  })

  test('a text with unsaved changes asks before the page is left @spec-2.49', async ({
    files,
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles({ 'docs/a.txt': 'old' })
    await files.open('/docs')
    await files.row('a.txt').dblclick()
    await opened.rewrite('a.txt', 'new')
    const ways = [
      () => page.goBack(),
      () => files.breadcrumbs.getByRole('link', { name: 'docs' }).click(),
      () => opened.action('Close').click(),
      () => opened.text('a.txt').press('Escape'),
    ]
    for (const leave of ways) {
      await leave()
      await opened.prompt.button('Cancel').click()
      await expect(opened.text('a.txt')).toContainText('new')
      await opened.shows('• a.txt')
    }
    await page.goBack()
    await opened.prompt.button('Discard changes').click()
    await files.shows('a.txt')
  })

  test('an expired session asks for a sign-in, and the text is saved after it', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    writeFiles({ 'a.txt': 'old' })
    await opened.open('/a.txt')
    await opened.rewrite('a.txt', 'half a sentence')
    await page.evaluate(
      async ([key, header, logout]) => {
        await fetch(`.${logout}`, {
          method: 'POST',
          headers: { [header]: localStorage.getItem(key) ?? '' },
        })
      },
      [TOKEN_STORAGE_KEY, TOKEN_HEADER, API.logout] as const,
    )
    await page.keyboard.press('ControlOrMeta+s')
    await opened.prompt.card.getByLabel('Password', { exact: true }).fill(server.password)
    await page.keyboard.press('Enter')
    await expect(opened.prompt.card).toBeHidden()
    await expect(opened.text('a.txt')).toContainText('half a sentence')
    await opened.save()
    expect(readFileSync(join(server.root, 'a.txt'), 'utf8')).toBe('half a sentence')
  })

  test('the editor finds and replaces text', async ({ opened, writeFiles, page }) => {
    writeFiles({ 'poem.txt': 'rose is a rose\nis a Rose' })
    await opened.open('/poem.txt')
    await opened.text('poem.txt').press('ControlOrMeta+f')
    await opened.findBar.getByRole('textbox', { name: 'Find' }).fill('rose')
    await expect(opened.findBar.getByRole('status')).toHaveText('3 matches')
    await opened.findBar.getByRole('button', { name: 'Match case' }).click()
    await expect(opened.findBar.getByRole('status')).toHaveText('2 matches')
    await opened.findBar.getByRole('textbox', { name: 'Replace with' }).fill('tulip')
    await opened.findBar.getByRole('button', { name: 'Replace all' }).click()
    await page.keyboard.press('Escape')
    await expect(opened.text('poem.txt')).toContainText('tulip is a tulip')
    await expect(opened.findBar).toBeHidden()
  })

  test('the editor jumps to a line by its number', async ({ opened, writeFiles, page }) => {
    writeFiles({ 'long.txt': Array.from({ length: 500 }, (_, at) => `line ${at + 1}`).join('\n') })
    await opened.open('/long.txt')
    await opened.text('long.txt').press('ControlOrMeta+g')
    await opened.prompt.field.fill('321')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Line 321, column 1')).toBeVisible()
    await expect(opened.text('long.txt')).toBeFocused()
  })
})

test.describe('Markdown', () => {
  test('Markdown opens rendered; it is edited as text, and an empty file opens as text', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    writeFiles({ 'notes.md': '# Notes\n', 'empty.md': '' })
    await opened.open('/notes.md')
    await expect(opened.rendered('notes.md').getByRole('heading', { name: 'Notes' })).toBeVisible()
    await expect(opened.action('Show formatted')).toBeHidden()
    await opened.action('Show as text').click()
    await opened.rewrite('notes.md', '# Plans')
    await opened.action('Show formatted').click()
    await expect(opened.rendered('notes.md').getByRole('heading', { name: 'Plans' })).toBeVisible()
    await opened.save()
    expect(readFileSync(join(server.root, 'notes.md'), 'utf8')).toBe('# Plans')

    await opened.open('/empty.md')
    await expect(opened.text('empty.md')).toBeVisible()
    await opened.rewrite('empty.md', '# First words')
    await opened.action('Show formatted').click()
    await expect(opened.rendered('empty.md')).toContainText('First words')
    await page.keyboard.press('ControlOrMeta+s')
    await expect(opened.unsaved).toBeHidden()
  })

  /** Attacks that ran in other file managers (CVE-2025-52902), and similar ones. */
  const HOSTILE = [
    '<img src=x onerror="window.ran=1">',
    '<script>window.ran=2</script>',
    '<a href="javascript:window.ran=3">click</a>',
    '[click](javascript:window.ran=4)',
    '<svg onload="window.ran=5"><script>window.ran=6</script></svg>',
    '<iframe src="https://evil.example/"></iframe>',
    '<form action="https://evil.example/"><button>x</button></form>',
    '<p style="background:url(https://evil.example/)" onclick="window.ran=7">x</p>',
    '<table background="https://evil.example/"><tr><td>x</td></tr></table>',
    '<video src="https://evil.example/" poster="https://evil.example/" autoplay></video>',
    '<img srcset="https://evil.example/ 2x">',
    '![map](https://evil.example/map.png)',
    '<math><mtext><style><img src=x onerror=window.ran=8></style></mtext></math>',
    '<noscript><p title="</noscript><img src=x onerror=window.ran=9>"></noscript>',
    '<object data="https://evil.example/"></object><embed src="https://evil.example/">',
    '<a id="location" name="cookie">clobber</a>',
  ].join('\n\n')

  test('Markdown runs no scripts and requests nothing from other hosts', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    const foreignRequests: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) foreignRequests.push(request.url())
    })
    writeFiles({ 'evil.md': `# Title\n\n${HOSTILE}\n\n# The end` })
    await opened.open('/evil.md')
    const text = opened.rendered('evil.md')
    await expect(text.getByRole('heading', { name: 'The end' })).toBeVisible()
    for (const link of await text.getByText('click').all()) await link.click()
    const traces = await text.evaluate((element) => ({
      ran: Reflect.get(window, 'ran'),
      elements: [...element.querySelectorAll('*')]
        .map((one) => one.localName)
        .filter((name) =>
          /^(script|iframe|form|button|style|svg|math|video|object|embed)$/.test(name),
        ),
      attributes: [...element.querySelectorAll('*')]
        .flatMap((one) => one.getAttributeNames())
        .filter((name) => /^(on.*|style|id|name|srcset|background|poster)$/.test(name)),
      scripts: [...element.querySelectorAll('a')].filter((a) => a.protocol === 'javascript:')
        .length,
    }))
    expect(traces).toEqual({ ran: undefined, elements: [], attributes: [], scripts: 0 })
    await expect(text.getByRole('link', { name: 'map' })).toHaveAttribute('rel', /noopener/)
    expect(foreignRequests).toEqual([])
  })

  test('Markdown shows pictures of the folder, and its links work', async ({
    opened,
    writeFiles,
    page,
  }) => {
    const dot = await sharp({
      create: { width: 9, height: 9, channels: 3, background: 'teal' },
    })
      .png()
      .toBuffer()
    writeFiles({
      'trip/read.md':
        '# One\n\n![A dot](pics/dot%20a.png)\n\n[other](../other.md) [down](#two)\n\n# Two',
      'trip/pics/dot a.png': dot,
      'other.md': 'The other one',
    })
    await opened.open('/trip/read.md')
    const picture = opened.rendered('read.md').getByRole('img', { name: 'A dot' })
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(9)
    await opened.rendered('read.md').getByRole('link', { name: 'other' }).click()
    await expect(opened.rendered('other.md')).toContainText('The other one')
    await page.goBack()
    await expect(opened.rendered('read.md')).toBeVisible()
  })
})

test('a CSV file can have both separators @spec-10.6', async ({ opened, writeFiles, page }) => {
  writeFiles({ 'both.csv': 'a;b,c\n1;"2;2",3\n' })
  await opened.open('/both.csv')
  const cells = opened.table('both.csv').getByRole('row').nth(1).getByRole('cell')
  await page.getByLabel('Separator').selectOption('Comma and semicolon')
  await expect(cells.filter({ hasText: /./ })).toHaveText(['1', '2;2', '3'])
  await page.getByLabel('Separator').selectOption('Comma')
  await expect(cells.filter({ hasText: /./ })).toHaveText(['1;"2;2"', '3'])
})

test('a long table keeps its height while it scrolls, also if the browser has a large font', async ({
  opened,
  writeFiles,
  page,
}) => {
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '20px'
    }),
  )
  writeFiles({ 'long.csv': Array.from({ length: 1000 }, (_, at) => `row ${at}`).join('\n') })
  await opened.open('/long.csv')
  const table = opened.table('long.csv')
  await expect(table.getByRole('cell', { name: 'row 1', exact: true })).toBeVisible()
  const heightOf = () => page.locator('.TableGrid').evaluate((grid) => grid.scrollHeight)
  const height = await heightOf()
  await page.locator('.TableGrid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight / 2))
  await expect(table.getByRole('cell', { name: 'row 500', exact: true })).toBeInViewport()
  expect(await heightOf()).toBe(height)
})

test('a table is sorted by a column, its rows are filtered, and numbers are at the right', async ({
  opened,
  writeFiles,
  page,
}) => {
  writeFiles({ 'ports.csv': 'port,depth\nReine,9\nBodø,10\nÅ,"4,5"\nNowhere,\n' })
  await opened.open('/ports.csv')
  const table = opened.table('ports.csv')
  const ports = table.locator('tbody td:nth-of-type(1)')
  const depth = table.getByRole('columnheader', { name: 'depth' })
  await expect(ports).toHaveText(['Reine', 'Bodø', 'Å', 'Nowhere'])
  await expect(table.getByRole('cell', { name: '4,5' })).toHaveCSS('text-align', 'end')
  await expect(table.getByRole('cell', { name: 'Reine' })).not.toHaveCSS('text-align', 'end')

  await depth.getByRole('button').click()
  await expect(depth).toHaveAttribute('aria-sort', 'ascending')
  await expect(ports).toHaveText(['Å', 'Reine', 'Bodø', 'Nowhere'])
  await page.keyboard.press('Enter')
  await expect(depth).toHaveAttribute('aria-sort', 'descending')
  await expect(ports).toHaveText(['Bodø', 'Reine', 'Å', 'Nowhere'])

  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('BODØ')
  await expect(ports).toHaveText(['Bodø'])
  await expect(table.getByRole('rowheader')).toHaveText(['2'])
  await page.getByRole('searchbox', { name: 'Filter rows' }).fill('')
  await depth.getByRole('button').press('Enter')
  await expect(depth).not.toHaveAttribute('aria-sort')
  await expect(ports).toHaveText(['Reine', 'Bodø', 'Å', 'Nowhere'])
})

test('a CSV file is shown as a table, and as text for editing @spec-10.6', async ({
  opened,
  writeFiles,
  page,
}) => {
  const rows = Array.from({ length: 50_000 }, (_, at) => `row ${at};${at * 3}`)
  writeFiles({ 'sums.csv': `name;sum\n${rows.join('\n')}` })
  await opened.open('/sums.csv')
  const table = opened.table('sums.csv')
  await expect(table.getByRole('columnheader', { name: 'sum' })).toBeVisible()
  await expect(table.getByRole('cell', { name: 'row 0', exact: true })).toBeVisible()
  await expect(page.getByText('50,000 rows, 2 columns')).toBeVisible()
  expect(await table.getByRole('row').count()).toBeLessThan(200)
  await table.getByRole('columnheader', { name: 'sum' }).click()
  await page.keyboard.press('End')
  await expect(table.getByRole('cell', { name: 'row 49999', exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: 'Separator' }).selectOption('Comma')
  await expect(page.getByText('50,000 rows, 1 column')).toBeVisible()
  await opened.action('Show as text').click()
  await expect(page).toHaveURL(/\?edit=true$/)
  await opened.rewrite('sums.csv', 'a,b')
  await opened.save()
  await opened.action('Show as a table').click()
  await expect(table.getByRole('columnheader', { name: 'b' })).toBeVisible()
})

test('in a page from right to left, the cells of a table begin at the side of their column’s name', async ({
  opened,
  page,
  writeFiles,
}) => {
  writeFiles({ 'a.csv': 'Name,مدينة,Sum\nAnna,القاهرة,-3\n' })
  await opened.open('/a.csv')
  const table = opened.table('a.csv')
  await expect(table.getByRole('cell', { name: 'Anna' })).toBeVisible()
  await page.locator('html').evaluate((html) => html.setAttribute('dir', 'rtl'))
  /** Whether a text is at the left of its cell. */
  const isLeft = (cell: Element) => {
    const range = document.createRange()
    range.selectNodeContents(cell.querySelector('bdi') ?? cell)
    const [text, box] = [range.getBoundingClientRect(), cell.getBoundingClientRect()]
    return text.left - box.left < box.right - text.right
  }
  const sides = async (role: 'columnheader' | 'cell') => {
    const cells = await table.getByRole(role).filter({ hasText: /\S/ }).all()
    return Promise.all(cells.map((cell) => cell.evaluate(isLeft)))
  }
  expect(await sides('columnheader')).toEqual([false, false, true])
  expect(await sides('cell')).toEqual([false, false, true])
})

test.describe('on a touch screen with a low window', () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true })

  test('the editor has each button once', async ({ opened, page, writeFiles }) => {
    writeFiles({ 'a.txt': 'text' })
    await opened.open('/a.txt')
    for (const name of ['Find', 'Wrap long lines', 'Smaller text', 'Larger text']) {
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(1)
    }
  })
})

test.describe('pictures', () => {
  async function pictures(): Promise<FilesToWrite> {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const large = { create: { width: 2400, height: 1600, channels: 3, noise } } as const
    const small = { create: { width: 60, height: 40, channels: 3, background: 'teal' } } as const
    return {
      'a.png': await sharp(small).png().toBuffer(),
      'b.jpg': await sharp({ ...large, create: { ...large.create, background: 'teal' } })
        .jpeg({ quality: 95 })
        .toBuffer(),
      'c.tiff': await sharp(small).tiff().toBuffer(),
      'd.txt': 'between',
      'e.bin': Uint8Array.from([0, 1, 2]),
      'f.jpg': 'no picture at all',
    }
  }
  const widthOf = (page: Page, name: string) =>
    page
      .getByRole('img', { name, exact: true })
      .evaluate((img: HTMLImageElement) => img.getBoundingClientRect().width)
  const percent = (fraction: number) => `${Math.round(fraction * 100)}%`
  const pixelsOf = (page: Page, name: string) =>
    page
      .getByRole('img', { name, exact: true })
      .evaluate((img: HTMLImageElement) => img.naturalWidth)

  test('pictures are stepped through by keys and buttons', async ({
    files,
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles(await pictures())
    await files.openRoot()
    await files.row('a.png').dblclick()
    await expect(opened.picture('a.png')).toBeVisible()
    await expect(opened.turn('Previous')).toBeHidden()
    await page.keyboard.press('ArrowRight')
    await expect(opened.picture('b.jpg')).toBeVisible()
    await opened.turn('Next').click()
    await expect(opened.picture('c.tiff')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(opened.card('e.bin')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText('The file is damaged')).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(opened.picture('c.tiff')).toBeVisible()
    await opened.strip.getByRole('button', { name: 'a.png' }).click()
    await expect(opened.picture('a.png')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(files.row('a.png')).toHaveAttribute('aria-selected', 'true')
    await expect(page).toHaveURL(/\/files\/$/)
  })

  test('pictures are zoomed, rotated, and shown in original size @spec-10.6', async ({
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles(await pictures())
    await opened.open('/b.jpg')
    await expect.poll(() => pixelsOf(page, 'b.jpg')).toBe(1080)
    const fitted = await widthOf(page, 'b.jpg')
    await opened.pictureTools.getByRole('button', { name: 'Zoom in' }).click()
    await expect(opened.pictureTools).toContainText(percent((fitted * 1.25) / 2400))
    expect(await widthOf(page, 'b.jpg')).toBeCloseTo(fitted * 1.25, 0)
    await expect.poll(() => pixelsOf(page, 'b.jpg')).toBe(2400)
    await page.keyboard.press('0')
    await expect(opened.pictureTools).toContainText('Fit')
    await opened.picture('b.jpg').dblclick()
    await expect(opened.pictureTools).toContainText(percent((fitted * 2.5) / 2400))
    await opened.picture('b.jpg').dblclick()
    await expect(opened.pictureTools).toContainText('Fit')
    await page.keyboard.press('r')
    const turned = await opened.picture('b.jpg').boundingBox()
    expect(turned?.height).toBeGreaterThan(turned?.width ?? 0)
    await page.keyboard.press('1')
    await expect.poll(async () => Math.round(await widthOf(page, 'b.jpg'))).toBe(1600)
    await expect(opened.pictureTools).toContainText('100%')
    // A small picture has all its pixels at once.
    await opened.open('/a.png')
    await expect(opened.pictureTools).toContainText('100%')
  })

  test.describe('on a screen with two pixels for each CSS pixel', () => {
    test.use({ deviceScaleFactor: 2 })

    test('100 % is one pixel of the screen for each pixel of the picture @spec-2.32', async ({
      opened,
      writeFiles,
      page,
    }) => {
      writeFiles(await pictures())
      await opened.open('/b.jpg')
      await expect.poll(() => pixelsOf(page, 'b.jpg')).toBe(1080)
      await page.keyboard.press('1')
      await expect.poll(async () => Math.round(await widthOf(page, 'b.jpg'))).toBe(1200)
      await expect(opened.pictureTools).toContainText('100%')
    })
  })

  test('pictures show the original on request', async ({ opened, writeFiles, page }) => {
    writeFiles(await pictures())
    await opened.open('/b.jpg')
    await expect.poll(() => pixelsOf(page, 'b.jpg')).toBe(1080)
    await opened.action('Full quality').click()
    await expect.poll(() => pixelsOf(page, 'b.jpg')).toBe(2400)
    await expect(page.getByText('2,400 × 1,600')).toBeVisible()
  })

  test.describe(() => {
    test.use({ contextOptions: { reducedMotion: 'no-preference' } })

    test('pictures keep the path and the tools while nothing moves', async ({
      opened,
      writeFiles,
      page,
    }) => {
      writeFiles(await pictures())
      await page.clock.install()
      await opened.open('/b.jpg')
      await expect(opened.pictureTools).toBeVisible()
      // Longer than a film shows its controls.
      await page.clock.runFor(5000)
      await expect(opened.pathBar).toHaveCSS('opacity', '1')
      await expect(opened.pictureTools).toHaveCSS('opacity', '1')
    })
  })

  test('pictures change by swiping', async ({ browser, server, writeFiles }) => {
    writeFiles(await pictures())
    const context = await browser.newContext({
      baseURL: `${server.url}/`,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto('./login')
    await page.getByLabel('Username').fill(server.username)
    await page.getByLabel('Password', { exact: true }).fill(server.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL(/\/files\/$/)
    const opened = new OpenedFile(page)
    await opened.open('/a.png')
    await expect(opened.picture('a.png')).toBeVisible()
    const finger = new Finger(page)
    await finger.down(opened.picture('a.png'))
    for (let step = 0; step < 3; step += 1) await finger.move(-50, 0)
    await finger.up()
    await expect(opened.picture('b.jpg')).toBeVisible()
    await context.close()
  })
})

test.describe('recordings and films', () => {
  test('a recording seeks by keys and buttons, changes its speed, and resumes at the last position', async ({
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles({ 'song.wav': waveOf(90), 'zither.wav': waveOf(5) })
    await opened.open('/song.wav')
    await expect(opened.playerFrame('song.wav')).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => opened.second('song.wav')).toBe(20)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => opened.second('song.wav')).toBe(10)
    await page.getByRole('button', { name: 'Forward 10 seconds' }).click()
    await expect.poll(() => opened.second('song.wav')).toBe(20)
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('1.5×')
    await expect(opened.player('song.wav')).toHaveJSProperty('playbackRate', 1.5)
    await page.reload()
    await expect.poll(() => opened.second('song.wav')).toBe(20)
    await opened.turn('Next').click()
    await expect(opened.playerFrame('zither.wav')).toBeVisible()
  })

  test('a film has the subtitles of the same folder @spec-10.6', async ({
    opened,
    writeFiles,
    page,
  }) => {
    const film = await filmFrom(page)
    const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nGood morning\n'
    writeFiles({ 'film.webm': film, 'film.en.srt': subtitles })
    await opened.open('/film.webm')
    await expect(opened.player('film.webm')).toHaveJSProperty('readyState', 4)
    const track = await opened.player('film.webm').evaluate(async (player: HTMLVideoElement) => {
      const [track] = player.textTracks
      if (!track) return undefined
      const element = player.querySelector('track')
      const loaded = new Promise((done) => element?.addEventListener('load', done))
      track.mode = 'hidden'
      await loaded
      const cue = track.cues?.[0]
      return [track.label, track.language, cue && 'text' in cue ? cue.text : undefined]
    })
    expect(track).toEqual(['English', 'en', 'Good morning'])
  })
})

test.describe('a book', () => {
  test('a book opens, and its position is stored @spec-10.6', async ({
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles({ 'harbour.epub': bookOf() })
    await opened.open('/harbour.epub')
    await expect(opened.frameContent('The Harbour').getByText('It begins.')).toBeVisible()
    await opened.frameContent('The Harbour').getByRole('link', { name: 'On' }).click()
    await expect(opened.frameContent('The Harbour').getByText('It ends.')).toBeVisible()
    await page.reload()
    await expect(opened.frameContent('The Harbour').getByText('It ends.')).toBeVisible()
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('menuitem', { name: 'Deeper' }).click()
    await expect(opened.frameContent('The Harbour').getByText('Deep.')).toBeVisible()
    await page.getByRole('button', { name: 'Larger text' }).click()
    await expect(page.getByText('110%')).toBeVisible()
  })

  test('a chapter has its own text direction', async ({ opened, writeFiles, page }) => {
    writeFiles({ 'arabic.epub': bookOf({ first: '<p>البداية</p>', attributes: 'dir="rtl"' }) })
    await opened.open('/arabic.epub')
    const chapter = opened.frameContent('The Harbour')
    await expect(chapter.getByText('البداية')).toHaveCSS('direction', 'rtl')
    await page.getByRole('button', { name: 'Next chapter' }).click()
    await expect(chapter.getByText('It ends.')).toHaveCSS('direction', 'ltr')
  })

  test('a section that is chosen again after scrolling is shown again', async ({
    opened,
    writeFiles,
    page,
  }) => {
    const lines = '<p>A line.</p>'.repeat(200)
    writeFiles({ 'long.epub': bookOf({ first: `<h1>One</h1>${lines}<p>The last line.</p>` }) })
    await opened.open('/long.epub')
    const chapter = opened.frameContent('The Harbour')
    for (const end of ['The last line.', 'The last line.']) {
      await chapter.getByText(end).scrollIntoViewIfNeeded()
      await expect(chapter.getByRole('heading', { name: 'One' })).not.toBeInViewport()
      await page.getByRole('button', { name: 'Contents' }).click()
      await page.getByRole('menuitem', { name: 'One' }).click()
      await expect(chapter.getByRole('heading', { name: 'One' })).toBeInViewport()
    }
  })

  test('a book runs no scripts and requests nothing from other hosts', async ({
    opened,
    writeFiles,
    page,
    server,
  }) => {
    const foreignRequests: string[] = []
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(server.url)) {
        foreignRequests.push(request.url())
      }
    })
    const first = `<h1>One</h1><script>parent.ran=1</script><img src="x" onerror="parent.ran=2"/>
      <a href="javascript:parent.ran=3">click</a><img src="https://evil.example/a.png"/>
      <iframe src="https://evil.example/"></iframe>
      <style>@import url(https://evil.example/b.css); h1 { background: url(https://evil.example/c) }</style>
      <p style="background: url(https://evil.example/d)">The end</p>`
    writeFiles({ 'evil.epub': bookOf({ first }) })
    await opened.open('/evil.epub')
    const chapter = opened.frameContent('The Harbour')
    await expect(chapter.getByText('The end')).toBeVisible()
    await chapter.getByText('click').click()
    await expect(opened.frame('The Harbour')).toHaveAttribute('sandbox', 'allow-same-origin')
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined()
    expect(foreignRequests).toEqual([])
  })

  test('a broken book shows an error, and can be downloaded', async ({
    opened,
    writeFiles,
    page,
  }) => {
    writeFiles({ 'torn.epub': Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]) })
    await opened.open('/torn.epub')
    await expect(page.getByText('This book cannot be read here')).toBeVisible()
    const coming = page.waitForEvent('download')
    await page
      .getByRole('heading', { name: 'This book cannot' })
      .locator('..')
      .getByRole('button', { name: 'Download' })
      .click()
    expect((await coming).suggestedFilename()).toBe('torn.epub')
  })
})

test('a text is opened, edited, and saved when it is closed, by keyboard alone', async ({
  files,
  opened,
  writeFiles,
  page,
  server,
}) => {
  writeFiles({ 'letter.txt': 'Dear' })
  await files.openRoot()
  await files.shows('letter.txt')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(opened.text('letter.txt')).toBeFocused()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' Ingrid')
  await page.keyboard.press('Escape')
  await expect(opened.prompt.card).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(files.row('letter.txt')).toHaveAttribute('aria-selected', 'true')
  expect(readFileSync(join(server.root, 'letter.txt'), 'utf8')).toBe('Dear Ingrid')
})
