import { expect, type Locator, type Page } from 'playwright/test'

/** The finder. */
export class SearchBox {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** The button in the top bar that opens the finder. */
  get opener(): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: 'Search', exact: true })
  }

  get card(): Locator {
    return this.#page.getByRole('dialog', { name: 'Search' })
  }

  get field(): Locator {
    return this.card.getByRole('combobox', { name: 'Search files and commands' })
  }

  /** The rows of a group of results. */
  group(name: 'Recent' | 'Files and folders' | 'Commands' | 'Users' | 'Inside files'): Locator {
    return this.card.getByRole('group', { name }).getByRole('option')
  }

  get results(): Locator {
    return this.group('Files and folders')
  }

  command(name: string): Locator {
    return this.group('Commands').filter({ hasText: name })
  }

  /** The active row, which Enter opens. */
  get chosen(): Locator {
    return this.card.getByRole('option', { selected: true })
  }

  get status(): Locator {
    return this.card.getByRole('contentinfo')
  }

  chip(name: 'Folders' | 'Pictures' | 'Audio' | 'Video' | 'PDF'): Locator {
    return this.card.getByRole('button', { name, exact: true })
  }

  button(name: string | RegExp): Locator {
    return this.card.getByRole('button', { name })
  }

  async open(): Promise<void> {
    await this.opener.click()
    await expect(this.field).toBeFocused()
  }

  async openByKeys(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+k')
    await expect(this.field).toBeFocused()
  }

  /** A result, by its path. */
  result(path: string): Locator {
    return this.results.and(this.#page.getByTitle(path, { exact: true }))
  }

  /** The bar of the selected results. */
  get selection(): Locator {
    return this.card.getByRole('toolbar', { name: 'Selection' })
  }

  /** Types a text, and waits for the results. */
  async find(text: string): Promise<void> {
    await this.field.fill(text)
    await expect(this.status).toContainText('found')
  }
}
