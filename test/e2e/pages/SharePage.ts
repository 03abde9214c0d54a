import type { Locator, Page } from 'playwright/test'

/** What a public link leads to. */
export class SharePage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get title(): Locator {
    return this.#page.getByRole('heading', { level: 1 })
  }

  /** The heading of an error. */
  get problem(): Locator {
    return this.#page.getByRole('heading', { level: 2 })
  }

  get error(): Locator {
    return this.#page.getByRole('alert')
  }

  get list(): Locator {
    return this.#page.getByRole('table', { name: 'Shared files' })
  }

  get breadcrumbs(): Locator {
    return this.#page.getByRole('navigation', { name: 'Path' })
  }

  /** The bar above the list while things are being chosen. */
  get selection(): Locator {
    return this.#page.getByRole('toolbar', { name: 'Selection' })
  }

  get qrCode(): Locator {
    return this.#page.getByRole('img', { name: 'QR code' })
  }

  /** The picture, film or sound shown on the page. */
  preview(name: string): Locator {
    return this.#page.getByRole('img', { name, exact: true })
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url)
  }

  async unlock(password: string): Promise<void> {
    await this.#page.getByLabel('Password', { exact: true }).fill(password)
    await this.button('Open').click()
  }

  button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true })
  }

  link(name: string): Locator {
    return this.list.getByRole('link', { name })
  }

  choose(name: string): Promise<void> {
    return this.list.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  }
}
