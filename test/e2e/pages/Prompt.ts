import type { Locator, Page } from 'playwright/test'

/** The topmost dialog. */
export class Prompt {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get card(): Locator {
    return this.#page.getByRole('dialog').last()
  }

  get field(): Locator {
    return this.card.getByRole('textbox')
  }

  button(name: string | RegExp): Locator {
    return this.card.getByRole('button', { name, exact: typeof name === 'string' })
  }

  folder(name: string): Locator {
    return this.card.getByRole('option', { name })
  }
}
