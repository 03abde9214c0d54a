import { type CDPSession, expect, type Locator, type Page } from 'playwright/test'

/** Drags files and folders of the desktop over the page, with events of Chromium itself. */
export class FileDrag {
  readonly #page: Page
  readonly #paths: readonly string[]
  #session: CDPSession | undefined
  #at = { x: 0, y: 0 }

  /** @param paths of real files and folders on this machine */
  constructor(page: Page, paths: readonly string[]) {
    this.#page = page
    this.#paths = paths
  }

  /** Moves to the centre of `target`; the first call enters the page. */
  async over(target: Locator): Promise<void> {
    // Waits until the target stands still.
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('There is nothing to drag to.')
    this.#at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    if (!this.#session) await this.#dispatch('dragEnter')
    await this.#dispatch('dragOver')
  }

  /** Holds the files where they are until `shown` is visible. */
  async holdUntil(shown: Locator): Promise<void> {
    await expect(async () => {
      await this.#dispatch('dragOver')
      await expect(shown).toBeVisible({ timeout: 100 })
    }).toPass()
  }

  async drop(): Promise<void> {
    await this.#dispatch('drop')
  }

  /** Leaves the page without a drop. Chromium's protocol has no command that causes the page's event. */
  async leave(): Promise<void> {
    await this.#page.evaluate(() => {
      document.body.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))
    })
  }

  async #dispatch(type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> {
    this.#session ??= await this.#page.context().newCDPSession(this.#page)
    await this.#session.send('Input.dispatchDragEvent', {
      type,
      ...this.#at,
      data: { items: [], files: [...this.#paths], dragOperationsMask: 1 },
    })
  }
}
