import { expect, type FrameLocator, type Locator, type Page } from 'playwright/test'
import { parsePath, toUrlPath } from '#wire/paths.ts'
import { Prompt } from './Prompt.ts'

/** The page of a file: viewers of all kinds, and the editor. */
export class OpenedFile {
  readonly #page: Page
  readonly prompt: Prompt

  constructor(page: Page) {
    this.#page = page
    this.prompt = new Prompt(page)
  }

  async open(path: string): Promise<void> {
    await this.#page.goto(`./files${toUrlPath(parsePath(path))}`)
  }

  /** The editor's text, by the name of the file. */
  text(name: string): Locator {
    return this.#page.getByRole('textbox', { name, exact: true })
  }

  /** Types `text` instead of the whole text in the editor. */
  async rewrite(name: string, text: string): Promise<void> {
    await this.text(name).click()
    await this.#page.keyboard.press('ControlOrMeta+a')
    await this.#page.keyboard.type(text)
  }

  /** Saves with the keyboard, and waits until there are no unsaved changes. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('ControlOrMeta+s')
    await expect(this.#page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  }

  action(name: string): Locator {
    return this.#page
      .getByRole('main')
      .getByRole('toolbar', { name: 'Actions' })
      .getByRole('button', { name, exact: true })
  }

  /** Returns to the folder. */
  async close(): Promise<void> {
    await this.#page.getByRole('main').getByRole('button', { name: 'Close', exact: true }).click()
  }

  get unsaved(): Locator {
    return this.#page.getByRole('main').getByText('Unsaved changes')
  }

  /** The find bar of the editor. */
  get findBar(): Locator {
    return this.#page.getByRole('search')
  }

  /** The rendered Markdown. */
  rendered(name: string): Locator {
    return this.#page.getByRole('region', { name, exact: true }).getByRole('article')
  }

  picture(name: string): Locator {
    return this.#page.getByRole('img', { name, exact: true })
  }

  get pictureTools(): Locator {
    return this.#page.getByRole('toolbar', { name: 'Picture' })
  }

  /** The path above the file; viewers of pictures and films hide it after a time without movement. */
  get pathBar(): Locator {
    return this.#page.getByRole('main').getByRole('navigation', { name: 'Path' })
  }

  /** The small pictures below the shown one. */
  get strip(): Locator {
    return this.#page.getByRole('navigation', { name: 'Pictures in this folder' })
  }

  turn(direction: 'Previous' | 'Next'): Locator {
    return this.#page.getByRole('main').getByRole('button', { name: direction, exact: true })
  }

  table(name: string): Locator {
    return this.#page.getByRole('region', { name, exact: true }).getByRole('table')
  }

  /** The film or recording itself. */
  player(name: string): Locator {
    return this.playerFrame(name).locator('video, audio')
  }

  /** The player of a film or a recording, with its controls: it has the focus and gets the keys. */
  playerFrame(name: string): Locator {
    return this.#page.getByRole('group', { name, exact: true })
  }

  /** The position of a player, in whole seconds. */
  async second(name: string): Promise<number> {
    return this.player(name).evaluate((player: HTMLMediaElement) => Math.floor(player.currentTime))
  }

  /** A frame of the page, by its title. */
  frame(title: string): Locator {
    return this.#page.locator('iframe').and(this.#page.getByTitle(title, { exact: true }))
  }

  /** The pages of a PDF, with their tools. */
  pdf(name: string): Locator {
    return this.#page.getByRole('region', { name, exact: true })
  }

  /** The document in a frame of the page, by the title of the frame. */
  frameContent(title: string): FrameLocator {
    return this.frame(title).contentFrame()
  }

  /** The heading of the card of a file without a viewer. */
  card(name: string): Locator {
    return this.#page.getByRole('heading', { name, exact: true, level: 2 })
  }

  /** Waits until this file is shown. */
  async shows(name: string): Promise<void> {
    await expect(this.#page).toHaveTitle(`${name} - Files - filemgr`)
  }
}
