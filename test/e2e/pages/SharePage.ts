import type { Locator, Page } from 'playwright/test'

/** The page of a public link. */
export class SharePage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get title(): Locator {
    // A rendered text has headings of its own, below this one.
    return this.#page.getByRole('heading', { level: 1 }).first()
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

  /** The content of the page: the title and buttons, and the shared file or folder. */
  get folder(): Locator {
    return this.#page.getByRole('main')
  }

  /** The bar above the viewer of a file. */
  get bar(): Locator {
    return this.#page.getByRole('banner')
  }

  /** The stage of a picture or film. */
  get viewer(): Locator {
    return this.#page.locator('.Preview')
  }

  /** The bar above the list in the selection mode. */
  get selection(): Locator {
    return this.#page.getByRole('toolbar', { name: 'Selection' })
  }

  get qrCode(): Locator {
    return this.#page.getByRole('img', { name: 'QR code' })
  }

  /** A picture that the page shows. */
  picture(name: string): Locator {
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
    return this.folder.getByRole('link', { name })
  }

  choose(name: string): Promise<void> {
    return this.folder.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  }
}
