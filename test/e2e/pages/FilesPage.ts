import { expect, type Locator, type Page } from 'playwright/test'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import { Finger } from './Finger.ts'
import { Prompt } from './Prompt.ts'
import { waitForServiceWorker } from './worker.ts'

/** The listing and the controls around it. */
export class FilesPage {
  readonly #page: Page
  readonly prompt: Prompt

  readonly #waitsForServiceWorker: boolean

  /** @param options.waitsForServiceWorker whether `openRoot` waits until the service worker controls the page */
  constructor(page: Page, { waitsForServiceWorker = false } = {}) {
    this.#page = page
    this.#waitsForServiceWorker = waitsForServiceWorker
    this.prompt = new Prompt(page)
  }

  get grid(): Locator {
    return this.#page.getByRole('grid', { name: 'Files and folders' })
  }

  /** The status bar below the listing. */
  get status(): Locator {
    return this.#page.getByRole('status').filter({ hasText: / free(?: ·|$)/ })
  }

  get toasts(): Locator {
    return this.#page.getByRole('region', { name: 'Messages' })
  }

  get breadcrumbs(): Locator {
    return this.#page.getByRole('main').getByRole('navigation', { name: 'Path' })
  }

  /** The selection bar: in place of the breadcrumbs, or below the listing in narrow windows. */
  get selection(): Locator {
    return this.#page.getByRole('toolbar', { name: 'Selection' })
  }

  /** The sidebar as a drawer, in narrow windows. */
  get drawer(): Locator {
    return this.#page.getByRole('dialog', { name: 'Navigation' })
  }

  get menu(): Locator {
    return this.#page.getByRole('menu')
  }

  /** The details panel beside the listing, in wide windows. */
  get details(): Locator {
    return this.#page.getByRole('complementary', { name: 'Details' })
  }

  /** The thumbnails in the rows, which are decorative and have no text. */
  get thumbnails(): Locator {
    return this.grid.getByAltText('', { exact: true })
  }

  row(name: string): Locator {
    const more = this.#page.getByRole('button', { name: `More for ${name}`, exact: true })
    return this.grid.getByRole('row').filter({ has: more })
  }

  /** An entry in a view with tiles or pictures. */
  tile(name: string): Locator {
    const title = this.#page.getByTitle(name, { exact: true })
    return this.grid.getByRole('gridcell').filter({ has: title })
  }

  /** The names in a view with tiles or pictures, in their order. */
  async tileNames(): Promise<string[]> {
    const tiles = await this.grid.getByRole('gridcell').allInnerTexts()
    return tiles.map((text) => text.split('\n')[0] ?? '')
  }

  viewButton(view: 'List' | 'Grid' | 'Photos'): Locator {
    const views = this.#page.getByRole('group', { name: 'View' })
    return views.getByRole('button', { name: view, exact: true })
  }

  async showAs(view: 'List' | 'Grid' | 'Photos'): Promise<void> {
    await this.viewButton(view).click()
  }

  /** The view whose button is pressed. */
  get view(): Locator {
    return this.#page.getByRole('group', { name: 'View' }).getByRole('button', { pressed: true })
  }

  get filter(): Locator {
    return this.#page.getByRole('textbox', { name: 'Filter by name' })
  }

  /** The button that opens the filter. */
  get filterButton(): Locator {
    return this.grid.getByRole('button', { name: 'Filter by name' })
  }

  /** The handle between the columns of names and sizes. */
  get nameResizer(): Locator {
    return this.grid.getByRole('separator', { name: 'Width of the names' })
  }

  /** The part of a row by which it is dragged. */
  handle(name: string): Locator {
    return this.grid.getByTitle(name, { exact: true })
  }

  /** Drags `from` onto `to` and drops it. @param options.copy whether Ctrl is held, which copies */
  async drag(from: Locator, to: Locator, { copy = false } = {}): Promise<void> {
    const { mouse, keyboard } = this.#page
    if (copy) await keyboard.down('Control')
    await this.dragOver(from, to)
    await mouse.up()
    if (copy) await keyboard.up('Control')
  }

  /** Drags `from` over `to`, without a drop. */
  async dragOver(from: Locator, to: Locator): Promise<void> {
    await from.hover()
    await this.#page.mouse.down()
    // The breadcrumbs are only shown after the drag has begun.
    await from.hover({ position: { x: 5, y: 5 } })
    await to.hover()
    await to.hover({ position: { x: 5, y: 5 } })
  }

  /** The row of a folder with a single entry, whatever its name. */
  get onlyRow(): Locator {
    return this.grid.getByRole('rowgroup').getByRole('row')
  }

  /** Opens the root, and waits until it is shown. */
  async openRoot(): Promise<void> {
    await this.#page.goto('./files/')
    await expect(this.status).toBeVisible()
    if (this.#waitsForServiceWorker) await waitForServiceWorker(this.#page)
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(`./files${toUrlPath(parsePath(path), true)}`)
  }

  /** The visible names, from the label of each row's button. */
  async names(): Promise<string[]> {
    const buttons = this.grid.getByRole('button', { name: /^More for / })
    const labels = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label')),
    )
    return labels.map((label) => (label ?? '').replace(/^More for /, ''))
  }

  /** Waits until the listing consists of exactly these entries, in this order. */
  async shows(...names: string[]): Promise<void> {
    await expect.poll(() => this.names()).toEqual(names)
  }

  /** Selects these entries only, and waits until they are selected. */
  async select(...names: string[]): Promise<void> {
    for (const [index, name] of names.entries()) {
      await this.row(name).click(index === 0 ? {} : { modifiers: ['ControlOrMeta'] })
      await expect(this.row(name)).toHaveAttribute('aria-selected', 'true')
    }
  }

  /** Moves an entry to the trash by the key, and waits until its row is gone. */
  async delete(name: string): Promise<void> {
    await this.select(name)
    await this.#page.keyboard.press('Delete')
    await expect(this.row(name)).toBeHidden()
  }

  /** Selects with a long press. */
  async longPress(name: string): Promise<void> {
    const finger = new Finger(this.#page)
    await finger.down(this.row(name))
    await expect(this.row(name)).toHaveAttribute('aria-selected', 'true')
    await finger.up()
  }

  /** Chooses an action of the row's context menu. */
  async choose(name: string, action: string): Promise<void> {
    await this.row(name).click({ button: 'right' })
    await this.menuItem(action).click()
  }

  menuItem(action: string): Locator {
    return this.menu.getByRole('menuitem', { name: action })
  }

  /** A button of the sidebar. */
  sidebar(action: string): Locator {
    return this.#page.getByRole('complementary').getByRole('button', { name: action })
  }

  /** A button of the top bar or of the selection bar. */
  action(name: string): Locator {
    const bars = this.#page.getByRole('toolbar', { name: /^(?:Actions|Selection)$/ })
    // “Download as…” begins with the name of another action.
    return bars.getByRole('button', { name, exact: name === 'Download' })
  }

  /** The menu button of the row. */
  more(name: string): Locator {
    return this.grid.getByRole('button', { name: `More for ${name}`, exact: true })
  }

  /** A button of the top bar in narrow windows. */
  topButton(name: 'Menu' | 'More'): Locator {
    return this.#page.getByRole('main').getByRole('button', { name, exact: true }).first()
  }

  /** The button that opens the finder. */
  get search(): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: 'Search', exact: true })
  }

  /** The floating "+" button of narrow windows. */
  get add(): Locator {
    return this.#page.getByRole('button', { name: 'Add', exact: true })
  }

  /** The header of the single column in narrow windows. */
  sortedBy(column: string): Locator {
    return this.grid.getByRole('button', { name: `Sorted by ${column}` })
  }

  /** Opens the root folder without a reload of the page. */
  async goHome(): Promise<void> {
    if (await this.topButton('Menu').isVisible()) await this.topButton('Menu').click()
    await this.#page.getByRole('link', { name: 'My files' }).last().click()
  }

  get uploadButton(): Locator {
    const actions = this.#page.getByRole('toolbar', { name: 'Actions' })
    return actions.getByRole('button', { name: 'Upload', exact: true })
  }

  /** Chooses files, or one folder, in the native file dialog. */
  async upload(kind: 'Files' | 'A folder', picked: string | string[]): Promise<void> {
    const chooser = this.#page.waitForEvent('filechooser')
    if (kind === 'Files') await this.uploadButton.click()
    else {
      await this.action('More ways to upload').click()
      await this.menuItem('Upload folder').click()
    }
    await (await chooser).setFiles(picked)
  }

  /** Like `upload`, with the "+" button of narrow windows. */
  async uploadByAdd(picked: string | string[]): Promise<void> {
    await this.add.click()
    const chooser = this.#page.waitForEvent('filechooser')
    await this.menuItem('Upload files').click()
    await (await chooser).setFiles(picked)
  }
}
