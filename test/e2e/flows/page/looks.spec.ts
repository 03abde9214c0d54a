import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from 'playwright/test'
import { REPO_ROOT } from '../../../support/server/executable.ts'
import { SCREENS } from '../../screens/screens.ts'
import { test, WIDTHS } from '../../screens/stage.ts'

const AXE = readFileSync(join(REPO_ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const ENGLISH: unknown = JSON.parse(
  readFileSync(join(REPO_ROOT, 'ui/i18n/messages/en.json'), 'utf8'),
)

/** The accessibility rules whose result differs between light, dark and forced colours. */
const COLOURS = ['color-contrast']
/** The narrowest window in which a page is used: 1280 px with a zoom of 400 % (WCAG 2.2, 1.4.10). */
const NARROWEST = { width: 320, height: 640 }
/** A phone that is held sideways. */
const LOW = { width: 844, height: 390 }
/** The smallest touch target, in pixels; most are 44 high. */
const TARGET_PX = 40

/** The browser also writes this to the console if a request fails. */
const FAILED_REQUEST = /^Failed to load resource/
/**
 * Requests that fail in many screens: previews of documents and films without content, the question of an upload how
 * much of the file the server has, before it has any of it, and a deletion that the trash would not keep.
 */
const EXPECTED_FAILURES = [
  { status: 422, path: /\/api\/(?:public\/)?preview\// },
  { status: 404, path: /\/api\/tus\// },
  { status: 409, path: /\/api\/resources\/.*[?&]onlyToTrash=true/ },
]
/** The browser runs no scripts in the frame of a book, and no script of these tests either. */
const BLOCKED_SCRIPT = /^Blocked script execution in 'about:srcdoc'/

// The screens of a worker have one browser context, which Playwright empties between them, so that fewer processes of the
// browser start. No screen changes what stays (permissions, the location, whether there is a network), except the received
// files of `prompt-receive`, which no other screen asks for.
test.use({ reuseContext: true })

const softly = expect.configure({ soft: true })

for (const [width, device] of Object.entries(WIDTHS)) {
  test.describe(`${width} px`, () => {
    test.use(device)
    const kind = device.viewport.width > 736 ? 'wide' : 'narrow'
    for (const { name, only, visitor, failing, proxied = false, go } of SCREENS) {
      if (only && only !== kind) continue
      test.describe(() => {
        test.use({ signedIn: !visitor, proxied })

        test(`the screen ${name} is accessible, shows no message keys, requests nothing from other hosts, and logs no errors @spec-10.4`, async ({
          stage,
        }) => {
          const { page, url } = stage
          const foreignRequests = recordForeignRequests(page, url)
          const errors = collectErrors(page, failing)
          await go(stage)
          // The Content-Security-Policy of the page does not apply to `evaluate`.
          await page.evaluate(AXE)
          expect.soft(await accessibilityViolations(page)).toEqual([])
          await page.emulateMedia({ colorScheme: 'dark' })
          expect.soft(await accessibilityViolations(page, { only: COLOURS })).toEqual([])
          if (kind === 'narrow') expect.soft(await smallTargetsOn(page)).toEqual([])
          await page.emulateMedia({ forcedColors: 'active' })
          // Without contrast: Chromium reports the colours of the style sheets, and not those that it paints.
          expect.soft(await accessibilityViolations(page, { without: COLOURS })).toEqual([])
          expect.soft(await toldByColourOn(page)).toEqual([])
          await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
          expect.soft(await rawKeysOn(page)).toEqual([])
          if (kind === 'narrow') {
            await page.setViewportSize(NARROWEST)
            // What is drawn for a width is drawn again a moment later.
            await softly.poll(() => smallTargetsOn(page)).toEqual([])
            await softly.poll(() => widthOf(page)).toBe(NARROWEST.width)
            expect.soft(await accessibilityViolations(page)).toEqual([])
          }
          await mirror(page)
          expect.soft(await accessibilityViolations(page)).toEqual([])
          if (kind === 'narrow') {
            await softly.poll(() => widthOf(page)).toBe(NARROWEST.width)
            await page.setViewportSize(LOW)
            expect.soft(await cutDialogsOn(page)).toEqual([])
          }
          expect.soft(foreignRequests).toEqual([])
          expect.soft(errors).toEqual([])
        })
      })
    }
  })
}

/** The URLs of requests and WebSockets to other hosts than that of `home`. */
function recordForeignRequests(page: Page, home: string): string[] {
  const foreignRequests: string[] = []
  const record = (url: string) => {
    const { protocol, host } = new URL(url)
    if (/^(?:http|ws)s?:$/.test(protocol) && host !== new URL(home).host) foreignRequests.push(url)
  }
  page.on('request', (request) => record(request.url()))
  // A WebSocket is no `request` of Playwright.
  page.on('websocket', (socket) => record(socket.url()))
  return foreignRequests
}

/**
 * Errors on the console, and uncaught errors.
 *
 * @param failing whether any request may fail; otherwise only those of `EXPECTED_FAILURES`
 */
function collectErrors(page: Page, failing = false): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error') return
    const text = message.text()
    const { url } = message.location()
    const mayFail = ({ status, path }: (typeof EXPECTED_FAILURES)[number]) =>
      text.includes(` ${status} `) && path.test(url)
    const isExpected = FAILED_REQUEST.test(text)
      ? failing || EXPECTED_FAILURES.some(mayFail)
      : BLOCKED_SCRIPT.test(text)
    if (!isExpected) errors.push(`${text} ${url}`)
  })
  return errors
}

interface AxeOptions {
  only?: string[]
  without?: string[]
}

/**
 * Violations of the serious and critical rules of axe-core, as `rule: element summary`. axe fails if an element that it
 * describes is replaced at that moment, such as a tile that changes with the width of the page: then it looks again.
 */
async function accessibilityViolations(page: Page, options: AxeOptions = {}): Promise<string[]> {
  const look = () => violationsNow(page, options)
  return look().catch(look)
}

async function violationsNow(page: Page, { only, without = [] }: AxeOptions): Promise<string[]> {
  return page.evaluate(
    async ([runOnly, leftOut]) => {
      // axe.min.js defines `window.axe`; the impact of its rules is in no type.
      const { axe } = window as unknown as {
        axe: typeof import('axe-core') & { _audit: { rules: { id: string; impact: string }[] } }
      }
      const minor = axe._audit.rules.filter(({ impact }) => /^(?:minor|moderate)$/.test(impact))
      const { violations } = await axe.run(document, {
        resultTypes: ['violations'],
        // Their violations have the impact of the rule, and are left out below.
        rules: {
          ...Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }])),
          // WCAG 2.2, 2.5.8, which axe leaves out by default.
          'target-size': { enabled: true },
          ...Object.fromEntries(leftOut.map((id) => [id, { enabled: false }])),
        },
        // Otherwise axe inserts a `<style>` with the text of each style sheet that it cannot read, and the
        // Content-Security-Policy blocks that.
        preload: { assets: ['media'] },
        elementRef: true,
        ...(runOnly && { runOnly }),
      })
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes
            .filter(({ element }) => !(id === 'target-size' && element && isUnderBar(element)))
            .map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
        )

      /** Whether a bar that does not scroll covers a part of the place of a target: then it is scrolled into view first. */
      function isUnderBar(element: Element): boolean {
        const { x, y, width, height } = element.getBoundingClientRect()
        const [middleX, half] = [x + width / 2, Math.max(12, height / 2)]
        return [-half, half].some((distance) => {
          let at = document.elementFromPoint(middleX, y + height / 2 + distance)
          while (at && !/^(?:sticky|fixed)$/.test(getComputedStyle(at).position))
            at = at.parentElement
          return at !== null && !at.contains(element)
        })
      }
    },
    [only, without] as const,
  )
}

/** The width of the content of the page, which is larger than its window if the page scrolls sideways. */
async function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/** The title and the buttons of the topmost dialog that are outside of the window or covered, as `element: top to bottom`. */
async function cutDialogsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll('dialog.Dialog[open]')].at(-1)
    const parts = dialog?.querySelectorAll('.Dialog__title, .Dialog__actions > button') ?? []
    return [...parts]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ element, box: { x, y, width, height, bottom } }) => {
        const [left, right] = [x + 2, x + width - 2]
        const isCovered = [left, right].some((at) => {
          const top = document.elementFromPoint(at, y + height / 2)
          return !top || !(element.contains(top) || top.contains(element))
        })
        return y < 0 || bottom > innerHeight || isCovered
      })
      .map(({ element, box }) => `${element.outerHTML}: ${box.y} to ${box.bottom}`)
  })
}

/** Changes the page to the direction of Arabic. Its texts stay: the places of the parts depend on the direction alone. */
async function mirror(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
}

/** Controls that are too small for a finger, as `element: width × height`. */
async function smallTargetsOn(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const targets = [...document.querySelectorAll('button, a[href], select, [role="menuitem"]')]
    return (
      targets
        // A link in the text of a document is as high as its line, which WCAG allows.
        .filter((element) => !element.matches('article a'))
        // The whole cell opens an entry, not only the link of its name.
        .map((element) => ({
          element,
          target:
            (element.matches('.EntryLink') && element.closest('[role="gridcell"]')) || element,
        }))
        .map(({ element, target }) => ({ element, box: target.getBoundingClientRect() }))
        .filter(({ element, box }) => element.checkVisibility() && box.width > 0)
        .filter(({ box }) => Math.min(box.width, box.height) < least)
        .map(({ element, box }) => `${element.outerHTML}: ${box.width} × ${box.height}`)
    )
  }, TARGET_PX)
}

/**
 * What only a background or a shadow would tell, which forced colours remove: fields and dialogs without an edge, and
 * states without a mark.
 */
async function toldByColourOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const STATES =
      '[aria-selected="true"], [aria-current]:not([aria-current="false"]), [aria-pressed="true"]'
    const EDGED =
      'input:not([type="range"]), select, textarea, dialog[open], [popover]:popover-open, [role="progressbar"]'

    function hasLine(element: Element, pseudo?: string): boolean {
      const style = getComputedStyle(element, pseudo)
      if (pseudo && style.content === 'none') return false
      const sides = ['Top', 'Right', 'Bottom', 'Left'] as const
      const hasBorder = sides.some((side) => {
        return style[`border${side}Style`] !== 'none' && style[`border${side}Width`] !== '0px'
      })
      return hasBorder || (style.outlineStyle !== 'none' && style.outlineWidth !== '0px')
    }
    const isLined = (element: Element) =>
      [undefined, '::before', '::after'].some((pseudo) => hasLine(element, pseudo))
    /** Other marks than lines. */
    function isMarked(element: Element): boolean {
      const style = getComputedStyle(element)
      const isBold = Number(style.fontWeight) >= 600
      const isUnderlined = style.textDecorationLine !== 'none'
      const checks = [...element.querySelectorAll('.Checkmark, .Checkbox')]
      return (
        isBold ||
        isUnderlined ||
        checks.some((check) => check.checkVisibility({ opacityProperty: true }))
      )
    }
    function isNative(element: Element): boolean {
      return (
        getComputedStyle(element).appearance !== 'none' && !element.matches('dialog, [popover]')
      )
    }

    const isShown = (element: Element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true })
    }
    const states = [...document.querySelectorAll(STATES)]
      .filter((element) => isShown(element) && !isLined(element) && !isMarked(element))
      .map((element) => `state: ${element.outerHTML.slice(0, 200)}`)
    const edges = [...document.querySelectorAll(EDGED)]
      .filter((element) => isShown(element) && !isNative(element))
      .filter((element) => {
        const parents = [element, element.parentElement, element.parentElement?.parentElement]
        return !parents.some((one) => one && isLined(one))
      })
      .map((element) => `edge: ${element.outerHTML.slice(0, 200)}`)
    return [...states, ...edges]
  })
}

/** Message keys and unfilled `{{placeholders}}` that the page shows instead of text. */
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
