import { expect, type Locator, type Page } from 'playwright/test'

/** The command palette. */
export class PaletteBox {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get card(): Locator {
    return this.#page.getByRole('dialog', { name: 'Commands' })
  }

  get field(): Locator {
    return this.card.getByRole('combobox', { name: 'What do you want to do?' })
  }

  get commands(): Locator {
    return this.card.getByRole('option')
  }

  get chosen(): Locator {
    return this.card.getByRole('option', { selected: true })
  }

  command(name: string): Locator {
    return this.card.getByRole('option', { name })
  }

  async open(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+k')
    await expect(this.field).toBeFocused()
  }
}
