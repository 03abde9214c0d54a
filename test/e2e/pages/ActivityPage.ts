import { expect, type Locator, type Page } from 'playwright/test'

/** The audit record in the settings. */
export class ActivityPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** The rows of the audit record, the newest first. */
  get records(): Locator {
    return this.#page.getByRole('region', { name: 'Activity', exact: true }).getByRole('listitem')
  }

  get more(): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: 'Show more' })
  }

  async open(query = ''): Promise<void> {
    await this.#page.goto(`./settings/activity${query}`)
    await expect(this.records.first()).toBeVisible()
  }

  filter(label: 'Action' | 'User' | 'Path contains' | 'From' | 'Until'): Locator {
    return this.#page.getByRole('main').getByLabel(new RegExp(`^${label}`))
  }

  /** @returns the path of the downloaded file */
  async save(format: 'CSV' | 'JSON lines'): Promise<string> {
    const saved = this.#page.waitForEvent('download')
    await this.#page.getByRole('button', { name: `Download as ${format}` }).click()
    return (await saved).path()
  }
}
