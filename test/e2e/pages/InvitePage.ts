import { expect, type Page } from 'playwright/test'

/** The page on which an invited user chooses a password. */
export class InvitePage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get title() {
    return this.page.getByRole('heading', { level: 1 })
  }

  get error() {
    return this.page.getByRole('alert')
  }

  /** The message for an invalid link. */
  get missing() {
    return this.page.getByRole('heading', { name: 'This invitation can no longer be used' })
  }

  /** Opens the link in a new document: a URL that differs only after `#` would not load the page. */
  async open(link: string): Promise<void> {
    await this.page.goto('about:blank')
    await this.page.goto(link)
  }

  async choose(password: string, again: string): Promise<void> {
    await this.page.getByLabel('Password', { exact: true }).fill(password)
    await this.page.getByLabel('Repeat password').first().fill(again)
    const button = this.page.getByRole('button', { name: 'Set password and log in' })
    await expect(button).toBeEnabled()
    await button.click()
  }
}
