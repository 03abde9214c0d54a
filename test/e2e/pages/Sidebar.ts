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

  /** Its position and size. */
  get box(): Promise<{ x: number; y: number; width: number; height: number }> {
    return this.#side.evaluate((side) => side.getBoundingClientRect().toJSON())
  }
}
