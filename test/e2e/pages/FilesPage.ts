import { expect, type Locator, type Page } from 'playwright/test'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import { Prompt } from './Prompt.ts'

/** The listing and what is around it. */
export class FilesPage {
  readonly #page: Page
  readonly prompt: Prompt

  constructor(page: Page) {
    this.#page = page
    this.prompt = new Prompt(page)
  }

  get grid(): Locator {
    return this.#page.getByRole('grid', { name: 'Files and folders' })
  }

  get status(): Locator {
    return this.#page.getByRole('status').filter({ hasText: / free$/ })
  }

  get toasts(): Locator {
    return this.#page.getByRole('region', { name: 'Messages' })
  }

  get breadcrumbs(): Locator {
    return this.#page.getByRole('main').getByRole('navigation', { name: 'Path' })
  }

  row(name: string): Locator {
    const cell = this.#page.getByRole('gridcell', { name, exact: true })
    return this.grid.getByRole('row').filter({ has: cell })
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(`./files${toUrlPath(parsePath(path), true)}`)
  }

  /** The names on screen, by what the button of each row is for. */
  async names(): Promise<string[]> {
    const buttons = this.grid.getByRole('button', { name: /^More for / })
    const labels = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label')),
    )
    return labels.map((label) => (label ?? '').replace(/^More for /, ''))
  }

  async shows(...names: string[]): Promise<void> {
    await expect.poll(() => this.names()).toEqual(names)
  }

  async select(...names: string[]): Promise<void> {
    for (const [index, name] of names.entries()) {
      await this.row(name).click(index === 0 ? {} : { modifiers: ['ControlOrMeta'] })
    }
  }

  /** An entry of the context menu of the row. */
  async choose(name: string, action: string): Promise<void> {
    await this.row(name).click({ button: 'right' })
    await this.#page.getByRole('menuitem', { name: action }).click()
  }

  sidebar(action: string): Locator {
    return this.#page.getByRole('complementary').getByRole('button', { name: action })
  }

  action(name: string): Locator {
    return this.#page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name })
  }

  /** Chooses files, or one folder, by the native picker. */
  async upload(kind: 'Files' | 'A folder', picked: string | string[]): Promise<void> {
    await this.action('Upload').click()
    const chooser = this.#page.waitForEvent('filechooser')
    await this.prompt.button(kind).click()
    await (await chooser).setFiles(picked)
  }
}
