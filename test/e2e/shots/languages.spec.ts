/** Takes screenshots in languages with long words, written from right to left, or without an alphabet. They assert nothing. */
import { join } from 'node:path'
import { expect } from 'playwright/test'
import { REPO_ROOT } from '../../support/server/executable.ts'
import { openActivity } from '../screens/activity.ts'
import { openCode, openEnrolment, openFirstSteps, openSecondFactorDue } from '../screens/auth.ts'
import { openTwins } from '../screens/folders.ts'
import { makeLink } from '../screens/prepare.ts'
import { openSpace } from '../screens/space.ts'
import { type Stage, THEMES, test, WIDTHS } from '../screens/stage.ts'
import { openTrash } from '../screens/trash.ts'
import { PROJECT } from '../screens/tree.ts'

const SHOTS = join(REPO_ROOT, 'dist/shots')

/** The locale of the browser, by the language in the names of the screenshots. */
const LANGUAGES = {
  ar: 'ar',
  de: 'de-DE',
  fr: 'fr-FR',
  he: 'he-IL',
  ja: 'ja-JP',
  ru: 'ru-RU',
  'zh-cn': 'zh-CN',
}

type Screens = Record<string, (stage: Stage) => Promise<void>>

/** Screens that are reached without texts of the interface, so that each language can be used. */
const SCREENS: Screens = {
  listing: openProject,
  async prompt(stage) {
    await openProject(stage)
    await stage.page.getByText('field-notes.md').click()
    await stage.page.keyboard.press('F2')
    await expect(stage.page.getByRole('dialog')).toBeVisible()
  },
  async settings({ page }) {
    await page.goto('./settings/profile')
    await expect(page.locator('select').first()).toBeVisible()
  },
  async sessions({ page }) {
    await page.goto('./settings/profile')
    await page.locator('.SessionRow, .DeviceRows__older').last().scrollIntoViewIfNeeded()
  },
  enrol: openEnrolment,
  'first-steps': openFirstSteps,
  'second-factor-due': openSecondFactorDue,
  twins: openTwins,
  space: openSpace,
  trash: openTrash,
  activity: openActivity,
  async share(stage) {
    await stage.page.goto(await makeLink(stage, PROJECT))
    await expect(stage.page.getByText('field-notes.md')).toBeVisible()
  },
}

/** Screens before the login. */
const VISITOR_SCREENS: Screens = {
  login: async ({ login }) => login.open(),
  code: openCode,
}

async function openProject({ files, page }: Stage): Promise<void> {
  await files.open(PROJECT)
  await expect(page.getByText('field-notes.md')).toBeVisible()
}

for (const [language, locale] of Object.entries(LANGUAGES)) {
  for (const [width, device] of Object.entries(WIDTHS)) {
    test.describe(`${language} ${width}`, () => {
      test.use({ ...device, locale })
      takeAll(SCREENS, language, width)
      test.describe('before the login', () => {
        test.use({ signedIn: false })
        takeAll(VISITOR_SCREENS, language, width)
      })
    })
  }
}

function takeAll(screens: Screens, language: string, width: string): void {
  for (const [name, go] of Object.entries(screens)) {
    test(`${language}-${name}`, async ({ stage }) => {
      await go(stage)
      for (const theme of THEMES) {
        await stage.page.emulateMedia({ colorScheme: theme })
        const path = join(SHOTS, `${language}-${name}-${width}-${theme}.png`)
        await stage.page.screenshot({ path })
      }
    })
  }
}
