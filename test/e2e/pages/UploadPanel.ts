import { expect, type Locator, type Page } from 'playwright/test'

/** The uploads in the card in the corner. */
export class UploadPanel {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get card(): Locator {
    return this.#page.getByRole('region', { name: 'Uploads and jobs', exact: true })
  }

  get total(): Locator {
    return this.card.getByRole('progressbar', { name: 'Total progress' })
  }

  /** Shows the list of files. */
  async unfold(): Promise<void> {
    await this.card.getByRole('button', { name: 'Expand' }).click()
    await expect(this.card.getByRole('button', { name: 'Collapse' })).toBeVisible()
  }

  async percent(): Promise<number> {
    return Number(await this.total.getAttribute('aria-valuenow'))
  }
}
