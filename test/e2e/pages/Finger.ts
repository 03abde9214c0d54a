import type { CDPSession, Locator, Page } from 'playwright/test'

/** Touch input with one finger, with events of Chromium itself. */
export class Finger {
  readonly #page: Page
  #session: CDPSession | undefined
  #at = { x: 0, y: 0 }

  constructor(page: Page) {
    this.#page = page
  }

  /** Touches the centre of `target`. */
  async down(target: Locator): Promise<void> {
    // Waits until the target stands still.
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('There is nothing to touch.')
    this.#at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await this.#dispatch('touchStart', [this.#at])
  }

  /** Moves the finger by this distance in pixels. */
  async move(x: number, y: number): Promise<void> {
    this.#at = { x: this.#at.x + x, y: this.#at.y + y }
    await this.#dispatch('touchMove', [this.#at])
  }

  async up(): Promise<void> {
    await this.#dispatch('touchEnd', [])
  }

  /** Ends the touch as the system does when it takes the gesture over. */
  async cancel(): Promise<void> {
    await this.#dispatch('touchCancel', [])
  }

  async #dispatch(
    type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel',
    touchPoints: { x: number; y: number }[],
  ): Promise<void> {
    this.#session ??= await this.#page.context().newCDPSession(this.#page)
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}
