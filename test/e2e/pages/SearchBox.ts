import { expect, type Locator, type Page } from 'playwright/test'

/** The search over the page. */
export class SearchBox {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** The field in the top bar that opens it. */
  get opener(): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: 'Search', exact: true })
  }

  get card(): Locator {
    return this.#page.getByRole('dialog', { name: 'Search' })
  }

  get field(): Locator {
    return this.card.getByRole('combobox', { name: 'Search by name' })
  }

  get results(): Locator {
    return this.card.getByRole('option')
  }

  /** The row that Enter opens. */
  get chosen(): Locator {
    return this.card.getByRole('option', { selected: true })
  }

  get status(): Locator {
    return this.card.getByRole('contentinfo')
  }

  chip(name: 'Images' | 'Audio' | 'Video' | 'PDF'): Locator {
    return this.card.getByRole('button', { name, exact: true })
  }

  button(name: string | RegExp): Locator {
    return this.card.getByRole('button', { name })
  }

  async open(): Promise<void> {
    await this.opener.click()
    await expect(this.field).toBeFocused()
  }

  async run(query: string): Promise<void> {
    await this.field.fill(query)
    await this.field.press('Enter')
  }
}
