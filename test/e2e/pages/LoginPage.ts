import { expect, type Page } from 'playwright/test'

/** The login page, with the form for sign-up. */
export class LoginPage {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get error() {
    return this.#page.getByRole('alert')
  }

  get button() {
    return this.#page.getByRole('button', { name: 'Log in', exact: true })
  }

  async open(): Promise<void> {
    await this.#page.goto('./login')
    await expect(this.button).toBeVisible()
  }

  async logIn(username: string, password: string): Promise<void> {
    // The previous page may contain the same fields.
    await expect(this.button).toBeVisible()
    await this.#page.getByLabel('Username').fill(username)
    await this.#page.getByLabel('Password', { exact: true }).fill(password)
    await this.button.click()
  }

  async toSignUp(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Create an account' }).click()
    await expect(this.#page.getByLabel('Repeat password').first()).toBeVisible()
  }

  async signUp(username: string, password: string, again: string): Promise<void> {
    await this.#page.getByLabel('Username').fill(username)
    await this.#page.getByLabel('Password', { exact: true }).fill(password)
    await this.#page.getByLabel('Repeat password').first().fill(again)
    await this.#page.getByRole('button', { name: 'Create account' }).click()
  }
}
