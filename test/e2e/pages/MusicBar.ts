import type { Locator, Page } from 'playwright/test'

/** The bar that plays the music queue. */
export class MusicBar {
  readonly #page: Page
  /** The bar itself. */
  readonly bar: Locator

  constructor(page: Page) {
    this.#page = page
    this.bar = page.getByRole('region', { name: 'Music', exact: true })
  }

  get player(): Locator {
    return this.bar.locator('audio')
  }

  get title(): Locator {
    return this.bar.getByRole('link')
  }

  button(name: string): Locator {
    return this.bar.getByRole('button', { name, exact: true })
  }

  slider(name: 'Position' | 'Volume'): Locator {
    return this.bar.getByRole('slider', { name, exact: true })
  }

  /** The list of the tracks, while it is open. */
  get queue(): Locator {
    return this.#page.getByRole('dialog', { name: 'Queue' })
  }

  async second(): Promise<number> {
    return this.player.evaluate((player: HTMLMediaElement) => Math.floor(player.currentTime))
  }

  async isPlaying(): Promise<boolean> {
    return this.player.evaluate((player: HTMLMediaElement) => !player.paused)
  }
}
