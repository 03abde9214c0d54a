import { expect, type Locator, type Page } from 'playwright/test'

/** The jobs in the card in the corner. */
export class JobsPanel {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get card(): Locator {
    return this.#page.getByRole('region', { name: 'Uploads and jobs', exact: true })
  }

  /** A button of a job, or of a failed item: `Pause: Copy big to there`. */
  button(name: string | RegExp): Locator {
    return this.card.getByRole('button', { name })
  }

  async says(text: string | RegExp): Promise<void> {
    await expect(this.card).toContainText(text, { timeout: 30_000 })
  }

  /** Shows the list of jobs. */
  async unfold(): Promise<void> {
    await this.button('Expand').click()
    await expect(this.button('Collapse')).toBeVisible()
  }
}
