import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { REPO_ROOT } from '../../support/executable.ts'
import { SCREENS } from '../screens/screens.ts'
import { test, WIDTHS } from '../screens/stage.ts'

const AXE = readFileSync(join(REPO_ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const ENGLISH: unknown = JSON.parse(
  readFileSync(join(REPO_ROOT, 'ui/i18n/messages/en.json'), 'utf8'),
)

/** The accessibility rules whose result differs between light and dark. */
const COLOURS = ['color-contrast']
/** The smallest touch target, in pixels; most are 44 high. */
const TARGET_PX = 40

/**
 * Console messages of the browser about requests that a screen makes fail on purpose, and about the
 * script of these tests in the frame of a book, which runs no scripts.
 */
const EXPECTED_MESSAGES = /^Failed to load resource|^Blocked script execution in 'about:srcdoc'/

for (const [width, device] of Object.entries(WIDTHS)) {
  test.describe(`${width} px`, () => {
    test.use(device)
    const kind = device.viewport.width > 736 ? 'wide' : 'narrow'
    for (const { name, only, visitor, go } of SCREENS) {
      if (only && only !== kind) continue
      test.describe(() => {
        test.use({ signedIn: !visitor })

        test(`the screen ${name} is accessible, uses words, and requests nothing from other hosts`, async ({
          stage,
        }) => {
          const { page, line } = stage
          const foreignRequests = recordForeignRequests(page, line.url)
          const errors = collectErrors(page)
          await go(stage)
          // A script given to `evaluate` is not bound by the page's own policy.
          await page.evaluate(AXE)
          expect.soft(await accessibilityViolations(page)).toEqual([])
          await page.emulateMedia({ colorScheme: 'dark' })
          expect.soft(await accessibilityViolations(page, COLOURS)).toEqual([])
          if (kind === 'narrow') expect.soft(await smallTargetsOn(page)).toEqual([])
          expect.soft(await rawKeysOn(page)).toEqual([])
          expect.soft(foreignRequests).toEqual([])
          expect.soft(errors).toEqual([])
        })
      })
    }
  })
}

/** Requests that go anywhere but to `home`. */
function recordForeignRequests(page: Page, home: string): string[] {
  const foreignRequests: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (/^(?:http|ws)/.test(url) && !url.startsWith(`${home}/`)) foreignRequests.push(url)
  })
  return foreignRequests
}

/** Errors on the console, and uncaught errors. */
function collectErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED_MESSAGES.test(message.text())) {
      errors.push(message.text())
    }
  })
  return errors
}

/** Accessibility violations: axe-core's serious and critical rules, as `rule: element`. */
async function accessibilityViolations(page: Page, rules?: string[]): Promise<string[]> {
  return page.evaluate(async (only) => {
    // The script itself puts it there.
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      // axe would insert the text of a style sheet that it cannot read as a style, which the page's policy refuses.
      preload: { assets: ['media'] },
      ...(only && { runOnly: only }),
    })
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      )
  }, rules)
}

/** Buttons and links that a finger can hardly hit: `name: width × height`. */
async function smallTargetsOn(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const targets = [...document.querySelectorAll('button, a[href], select, [role="menuitem"]')]
    return (
      targets
        // A link in running text is as high as its line, which WCAG allows.
        .filter((element) => !element.closest('article'))
        .map((element) => ({ element, box: element.getBoundingClientRect() }))
        .filter(({ element, box }) => element.checkVisibility() && box.width > 0)
        .filter(({ box }) => Math.min(box.width, box.height) < least)
        .map(({ element, box }) => `${element.outerHTML}: ${box.width} × ${box.height}`)
    )
  }, TARGET_PX)
}

/** Keys of the messages that stand on the page in place of their words. */
async function rawKeysOn(page: Page): Promise<string[]> {
  const groups = Object.keys(ENGLISH as object).join('|')
  const seen = await page.evaluate(() => {
    const spoken = [...document.querySelectorAll('[aria-label], [title], [placeholder]')].flatMap(
      (element) => ['aria-label', 'title', 'placeholder'].map((name) => element.getAttribute(name)),
    )
    return [document.body.innerText, document.title, ...spoken].join('\n')
  })
  return (
    seen.match(new RegExp(`\\b(?:${groups})\\.[a-z]\\w*(?:\\.\\w+)*|\\{\\{.*?\\}\\}`, 'g')) ?? []
  )
}
