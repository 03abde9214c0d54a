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

  /** The field of a folder picker. */
  get find(): Locator {
    return this.card.getByRole('combobox', { name: 'Find a folder, or type a path' })
  }

  /** The last destinations and the favourites of a folder picker. */
  get shortcuts(): Locator {
    const group = this.card.getByRole('group', { name: 'Recent folders and favourites' })
    return group.getByRole('button')
  }

  /** The message in place of the folders of a folder picker. */
  get folderMessage(): Locator {
    return this.card.getByRole('status')
  }
}
