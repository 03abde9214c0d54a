import type { Locator, Page } from 'playwright/test'

/** The sidebar of wide windows. */
export class Sidebar {
  readonly #side: Locator

  constructor(page: Page) {
    this.#side = page.getByRole('complementary', { name: 'Navigation' })
  }

  section(name: 'Favourites' | 'Recent' | 'Folders'): Locator {
    return this.#side.getByRole('region', { name })
  }

  get favourites(): Locator {
    return this.section('Favourites').getByRole('link')
  }

  /** The folders of the tree, from top to bottom. */
  get branches(): Locator {
    return this.#side.getByRole('treeitem')
  }

  branch(name: string): Locator {
    return this.#side.getByRole('treeitem', { name, exact: true })
  }

  link(name: string): Locator {
    return this.#side.getByRole('link', { name })
  }
}
