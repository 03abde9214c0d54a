/** A file, in the viewer that fits it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { PDF } from '../../support/documents.ts'
import { filmFrom } from '../../support/films.ts'
import { waveOf } from '../../support/recordings.ts'
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
      await openText(stage, 'field-notes.md')
      await showFormatted(stage)
      const page = stage.opened.rendered('field-notes.md')
      await expect(page.getByRole('heading', { name: 'Still to do' })).toBeVisible()
    },
  },
  {
    name: 'formulas',
    async go(stage) {
      writeFileSync(join(stage.root, PROJECT, '02 Interviews', 'exposure.md'), FORMULAS)
      await stage.opened.open(`${PROJECT}/02 Interviews/exposure.md`)
      await expect(stage.opened.text('exposure.md')).toBeVisible()
      await showFormatted(stage)
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
    async go(stage) {
      await openText(stage, 'sync-rushes.py')
      await write(stage, '# mine: ')
      await expect(stage.opened.unsaved).toBeVisible()
      const changeBack = changeMeanwhile(join(stage.root, PROJECT, 'sync-rushes.py'))
      await stage.page.keyboard.press('ControlOrMeta+s')
      await expect(stage.opened.prompt.card).toContainText('was changed meanwhile')
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
    name: 'video',
    async go({ opened, page, root }) {
      await opened.open('/')
      writeFileSync(join(root, PROJECT, '01 Rushes', 'harbour.webm'), await filmFrom(page))
      await opened.open(`${PROJECT}/01 Rushes/harbour.webm`)
      await expect(opened.player('harbour.webm')).toHaveJSProperty('readyState', 4)
    },
  },
  {
    name: 'video-unknown',
    async go({ opened, page }) {
      await opened.open(`${PROJECT}/teaser-cut-v12.mp4`)
      await expect(page.getByText('cannot play this video format')).toBeVisible()
    },
  },
  {
    name: 'pdf',
    showsPdf: true,
    async go({ opened, page, root }) {
      writeFileSync(join(root, 'taxes-2024.pdf'), PDF)
      const coming = page.waitForResponse((answer) => answer.url().includes('/api/raw/taxes-2024'))
      await opened.open('/taxes-2024.pdf')
      await expect(opened.frame('taxes-2024.pdf')).toBeVisible()
      await (await coming).finished()
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
    async go({ files, narrow, page, root }) {
      const folder = join(root, PROJECT, '02 Interviews')
      for (const name of ['ferry-deck.wav', 'mooring-bells.wav'])
        writeFileSync(join(folder, name), waveOf(240))
      writeFileSync(
        join(folder, 'cover.jpg'),
        readFileSync(join(root, PROJECT, 'midnight-sun.jpg')),
      )
      await files.open(`${PROJECT}/02 Interviews`)
      await expect(files.row('ferry-deck.wav')).toBeVisible()
      if (narrow) await files.row('ferry-deck.wav').tap()
      else await files.row('ferry-deck.wav').dblclick()
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

async function openText({ opened }: Stage, name: string): Promise<void> {
  await opened.open(`${PROJECT}/${name}`)
  await expect(opened.text(name)).toBeVisible()
}

async function write({ opened, page }: Stage, words: string): Promise<void> {
  await opened.text('sync-rushes.py').click({ position: { x: 20, y: 20 } })
  await page.keyboard.type(words)
  await expect(page).toHaveTitle(/^• /)
}

async function showFormatted({ files, opened, narrow }: Stage): Promise<void> {
  if (!narrow) return opened.action('Show formatted').click()
  await files.topButton('More').click()
  await files.menuItem('Show formatted').click()
}
