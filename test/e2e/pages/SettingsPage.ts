import { expect, type Locator, type Page } from 'playwright/test'
import type { GlobalSection } from '#ui/lib/accounts/global-sections.ts'
import { Prompt } from './Prompt.ts'

type Screen =
  | 'profile'
  | 'shares'
  | 'trash'
  | 'activity'
  | 'global'
  | `global/${GlobalSection}`
  | 'users'
  | 'users/new'

/** The screens of the settings, and their dialogs. */
export class SettingsPage {
  readonly #page: Page
  readonly prompt: Prompt

  constructor(page: Page) {
    this.#page = page
    this.prompt = new Prompt(page)
  }

  get title(): Locator {
    return this.#page.getByRole('heading', { level: 2 }).first()
  }

  get menu(): Locator {
    return this.#page.getByRole('navigation', { name: 'Settings', exact: true })
  }

  /** The link in the sidebar; only administrators have it. */
  get entry(): Locator {
    return this.#page.getByRole('complementary').getByRole('link', { name: 'Settings' })
  }

  get toasts(): Locator {
    return this.#page.getByRole('region', { name: 'Messages' })
  }

  /** The message of a failed save. */
  get error(): Locator {
    return this.#page.getByRole('main').getByRole('alert')
  }

  get users(): Locator {
    return this.#page.getByRole('table', { name: 'Users' })
  }

  get shares(): Locator {
    return this.#page.getByRole('table', { name: 'Shares' })
  }

  get save(): Locator {
    return this.button('Save')
  }

  async open(screen: Screen): Promise<void> {
    await this.#page.goto(`./settings/${screen}`)
    await expect(this.title).toBeVisible()
  }

  group(name: string): Locator {
    return this.#page.getByRole('region', { name, exact: true })
  }

  /** The sessions of a group, one per row. */
  devices(group: string): Locator {
    return this.group(group).getByRole('listitem')
  }

  /** The first control whose label is or begins with this text. */
  field(label: string): Locator {
    return this.#page
      .getByRole('main')
      .getByLabel(new RegExp(`^${label}`))
      .first()
  }

  toggle(name: string): Locator {
    return this.#page.getByRole('switch', { name, exact: true })
  }

  permission(name: string): Locator {
    return this.group('Permissions').getByRole('checkbox', { name, exact: true })
  }

  button(name: string): Locator {
    return this.#page.getByRole('main').getByRole('button', { name, exact: true })
  }

  /** Opens a user's page from the list. */
  async edit(username: string): Promise<void> {
    await this.users.getByRole('link', { name: `Edit ${username}`, exact: true }).click()
    await expect(this.title).toHaveText(new RegExp(`${username}$`))
  }

  /** Fills in the form of a new user and creates it; the administrator confirms with their own password. */
  async create(username: string, password: string, ownPassword: string): Promise<void> {
    await this.open('users/new')
    await this.field('Username').fill(username)
    await this.field('Password').first().fill(password)
    await this.button('Create user').click()
    await this.confirm(ownPassword)
    await expect(this.toasts).toContainText('User created')
  }

  /** Confirms with one's own password in the dialog. */
  async confirm(password: string): Promise<void> {
    await this.prompt.card.getByLabel('Your password').fill(password)
    await this.prompt.card.getByRole('button', { name: /^(Confirm|Delete user)$/ }).click()
  }
}
