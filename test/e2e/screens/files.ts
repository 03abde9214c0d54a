/** Screens of files in their viewers and in the editor. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { filmFrom } from '../../support/files/films.ts'
import { pdfOf } from '../../support/files/pdf.ts'
import { waveOf } from '../../support/files/recordings.ts'
import { docxOf, odtOf, sheetRow, wordText, xlsxOf } from '../../support/files/zipped-documents.ts'
import { MusicBar } from '../pages/MusicBar.ts'
import { changeMeanwhile } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'
import { PROJECT } from './tree.ts'

const FORMULAS = `# Exposure at night

The exposure value for an aperture $N$ and a time $t$ is $\\mathrm{EV} = \\log_2 \\frac{N^2}{t}$, so that
one stop less doubles $t$. Over a night it adds up:

$$
H = \\int_{t_0}^{t_1} E(t)\\,dt \\approx \\sum_{i=1}^{n} E_i\\,\\Delta t_i
$$

$$
R_\\theta = \\begin{pmatrix} \\cos\\theta & -\\sin\\theta \\\\ \\sin\\theta & \\cos\\theta \\end{pmatrix}
$$

The rental costs $40 or $50 a day.
`

export const FILE_SCREENS: readonly Screen[] = [
  {
    name: 'file',
    async go({ files, page }) {
      await files.open(`${PROJECT}/budget-2025-final-approved.xlsx`)
      await expect(page.getByRole('heading', { name: /^budget/ })).toBeVisible()
    },
  },
  {
    name: 'editor',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await stage.opened.text('sync-rushes.py').press('ControlOrMeta+f')
      await stage.opened.findBar.getByRole('textbox', { name: 'Find' }).fill('start')
      await expect(stage.opened.findBar).toContainText('matches')
    },
  },
  {
    name: 'editor-unsaved',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# ')
    },
  },
  {
    name: 'markdown',
    async go(stage) {
      await stage.opened.open(`${PROJECT}/field-notes.md`)
      const page = stage.opened.rendered('field-notes.md')
      await expect(page.getByRole('heading', { name: 'Still to do' })).toBeVisible()
    },
  },
  {
    name: 'formulas',
    async go(stage) {
      writeFileSync(join(stage.root, PROJECT, '02 Interviews', 'exposure.md'), FORMULAS)
      await stage.opened.open(`${PROJECT}/02 Interviews/exposure.md`)
      await expect(stage.opened.rendered('exposure.md').getByRole('math')).toHaveCount(6)
    },
  },
  {
    name: 'prompt-discard-editor-changes',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# ')
      await stage.opened.close()
      await expect(stage.opened.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-save-conflict',
    failing: true,
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# mine: ')
      await expect(stage.opened.unsaved).toBeVisible()
      const changeBack = changeMeanwhile(join(stage.root, PROJECT, 'sync-rushes.py'))
      await stage.page.keyboard.press('ControlOrMeta+s')
      await expect(stage.opened.prompt.card).toContainText('was changed on the server')
      changeBack()
    },
  },
  {
    name: 'prompt-go-to-line',
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await stage.opened.text('sync-rushes.py').press('ControlOrMeta+g')
      await expect(stage.opened.prompt.card).toBeVisible()
    },
  },
  {
    name: 'prompt-save-as',
    failing: true,
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# mine: ')
      await expect(stage.opened.unsaved).toBeVisible()
      const changeBack = changeMeanwhile(join(stage.root, PROJECT, 'sync-rushes.py'))
      await stage.page.keyboard.press('ControlOrMeta+s')
      await stage.opened.prompt.button('Save under another name…').click()
      await expect(stage.opened.prompt.field).toBeVisible()
      changeBack()
    },
  },
  {
    name: 'table',
    async go({ opened }) {
      await opened.open(`${PROJECT}/02 Interviews/shots.csv`)
      const cell = opened.table('shots.csv').getByRole('cell', { name: 'Harbour 3', exact: true })
      await expect(cell).toBeVisible()
    },
  },
  {
    name: 'image',
    async go({ opened }) {
      await opened.open(`${PROJECT}/midnight-sun.jpg`)
      await expect(opened.picture('midnight-sun.jpg')).toBeVisible()
    },
  },
  {
    name: 'image-facts',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/midnight-sun.jpg`)
      await expect(opened.picture('midnight-sun.jpg')).toBeVisible()
      await page.keyboard.press('r')
      await page.keyboard.press('i')
      await expect(page.getByRole('complementary', { name: 'Photo details' })).toContainText('×')
    },
  },
  {
    name: 'image-crop',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/midnight-sun.jpg`)
      await expect(opened.picture('midnight-sun.jpg')).toBeVisible()
      await page.keyboard.press('c')
      await expect(page.getByRole('group', { name: 'Area to keep' })).toBeVisible()
      for (const _ of Array.from({ length: 20 })) await page.keyboard.press('Shift+ArrowUp')
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'video',
    async go({ opened, page, root }) {
      await opened.open('/')
      writeFileSync(join(root, PROJECT, '01 Rushes', 'harbour.webm'), await filmFrom(page))
      await opened.open(`${PROJECT}/01 Rushes/harbour.webm`)
      await expect(opened.player('harbour.webm')).toHaveJSProperty('readyState', 4)
    },
  },
  {
    name: 'video-damaged',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/teaser-cut-v12.mp4`)
      await expect(page.getByText('The file is damaged')).toBeVisible()
    },
  },
  {
    name: 'pdf',
    async go({ opened, root }) {
      writeFileSync(join(root, 'taxes-2024.pdf'), pdfOf(RECEIPTS))
      await opened.open('/taxes-2024.pdf')
      await expect(
        opened.pdf('taxes-2024.pdf').getByText('Receipts of the year 2024: March'),
      ).toBeVisible()
    },
  },
  {
    name: 'pdf-find',
    async go({ opened, root, page }) {
      writeFileSync(join(root, 'taxes-2024.pdf'), pdfOf(RECEIPTS))
      await opened.open('/taxes-2024.pdf')
      await expect(
        opened.pdf('taxes-2024.pdf').getByText('Receipts of the year 2024: March'),
      ).toBeVisible()
      await page.keyboard.press('ControlOrMeta+f')
      await opened.findBar.getByRole('textbox').fill('fuel')
      await expect(opened.findBar.getByRole('status')).toContainText('1 of')
    },
  },
  {
    name: 'pdf-password',
    async go({ opened, root, page }) {
      writeFileSync(join(root, 'contract.pdf'), pdfOf(['Signed'], { password: 'fjord' }))
      await opened.open('/contract.pdf')
      await expect(page.getByRole('textbox', { name: 'Password' })).toBeFocused()
    },
  },
  {
    name: 'docx',
    async go({ opened, root }) {
      const text = wordText('Letter of the harbour master', '<w:b/><w:sz w:val="40"/>')
      const lines = SENTENCES.map((sentence) => wordText(sentence)).join('')
      writeFileSync(join(root, 'letter.docx'), docxOf(text + lines))
      await opened.open('/letter.docx')
      await expect(opened.frameContent('letter.docx').getByText('Letter of the')).toBeVisible()
    },
  },
  {
    name: 'odt',
    async go({ opened, root }) {
      const lines = SENTENCES.map((sentence) => `<text:p>${sentence}</text:p><text:p/>`).join('')
      const heading = '<text:h text:outline-level="1">Log of the Nordlys</text:h>'
      writeFileSync(join(root, 'log.odt'), odtOf(heading + lines))
      await opened.open('/log.odt')
      await expect(opened.frameContent('log.odt').getByText('Log of the Nordlys')).toBeVisible()
    },
  },
  {
    name: 'xlsx',
    async go({ opened, root }) {
      const head = sheetRow(1, ['Port', 'Depth (m)', 'Berths', 'Contact'])
      const rows = Array.from({ length: 60 }, (_, at) =>
        sheetRow(at + 2, [`Port ${at + 1}`, 4.5 + at / 4, 3 * at + 7, 'harbour@example.org']),
      )
      const sheets = { Ports: head + rows.join(''), Fees: sheetRow(1, ['Night', 240]), Notes: '' }
      writeFileSync(join(root, 'ports.xlsx'), xlsxOf(sheets))
      await opened.open('/ports.xlsx')
      await expect(
        opened.table('Ports').getByRole('cell', { name: 'Port 1' }).first(),
      ).toBeVisible()
    },
  },
  {
    name: 'audio',
    async go({ opened }) {
      await opened.open(`${PROJECT}/02 Interviews/harbour-wind.wav`)
      await expect(opened.player('harbour-wind.wav')).toHaveJSProperty('readyState', 4)
    },
  },
  {
    name: 'music',
    async go({ files, isNarrow, page, root }) {
      const folder = join(root, PROJECT, '02 Interviews')
      for (const name of ['ferry-deck.wav', 'mooring-bells.wav'])
        writeFileSync(join(folder, name), waveOf(240))
      writeFileSync(
        join(folder, 'cover.jpg'),
        readFileSync(join(root, PROJECT, 'midnight-sun.jpg')),
      )
      await files.open(`${PROJECT}/02 Interviews`)
      await expect(files.row('ferry-deck.wav')).toBeVisible()
      const song = files.row('ferry-deck.wav')
      if (isNarrow) await song.tap()
      else {
        // The list may be read again between the clicks of a double click.
        await song.click()
        await expect(song).toHaveAttribute('aria-selected', 'true')
        await page.keyboard.press('Enter')
      }
      const music = new MusicBar(page)
      await music.button('Pause').click()
      await music.slider('Position').fill('81')
      await expect(music.slider('Position')).toHaveAttribute('aria-valuetext', '1:21 of 4:00')
    },
  },
  {
    name: 'book',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/02 Interviews/harbour.epub`)
      await expect(page.getByText('1 of 2')).toBeVisible()
    },
  },
]

const SENTENCES = Array.from(
  { length: 12 },
  (_, at) =>
    `On day ${at + 1} the wind came from the north-west, and the crew stayed in the harbour until the evening. The fuel for the next leg was delivered at noon.`,
)

const RECEIPTS = ['March', 'June', 'September'].map(
  (month) =>
    `Receipts of the year 2024: ${month}\n \nHarbour fees        1 240.00\nFuel                      3 810.50\nRope and paint        420.75\nFuel, second leg    2 066.00`,
)

async function openText({ opened }: Stage, name: string): Promise<void> {
  await opened.open(`${PROJECT}/${name}`)
  await expect(opened.text(name)).toBeVisible()
}

async function write({ opened, page }: Stage, text: string): Promise<void> {
  await opened.text('sync-rushes.py').click({ position: { x: 20, y: 20 } })
  await page.keyboard.type(text)
  await expect(page).toHaveTitle(/^• /)
}
