import type { Locator, Page } from 'playwright/test'

/** The panel of commands and of the terminal below the files. */
export class ShellPanel {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  get panel(): Locator {
    return this.#page.getByRole('region', { name: 'Shell', exact: true })
  }

  /** The field for a command. While a command runs, it is the field for its input. */
  get commandField(): Locator {
    return this.panel.getByRole('textbox', { name: 'Command', exact: true })
  }

  /** The field for input of the running command. */
  get input(): Locator {
    return this.panel.getByRole('textbox', { name: /^Input for / })
  }

  get output(): Locator {
    return this.panel.getByRole('log', { name: 'Output' })
  }

  get resizer(): Locator {
    return this.panel.getByRole('separator', { name: 'Height of the shell' })
  }

  get stop(): Locator {
    return this.panel.getByRole('button', { name: 'Stop' })
  }

  /** The terminal's output. */
  get screen(): Locator {
    return this.panel.getByRole('group', { name: 'Terminal' })
  }

  get rows(): Locator {
    return this.screen.locator('.xterm-rows > div')
  }

  /** The element that receives the keys for the terminal's program. */
  get keys(): Locator {
    return this.panel.getByRole('textbox', { name: 'Terminal input' })
  }

  /** The field for the program of the terminal, while none runs. */
  get program(): Locator {
    return this.panel.getByRole('combobox', { name: 'Program' })
  }

  tab(name: 'Commands' | 'Terminal'): Locator {
    return this.panel.getByRole('tab', { name })
  }

  /** Opens or closes the panel with its keys. */
  async toggle(): Promise<void> {
    await this.#page.keyboard.press('Control+Backquote')
  }

  async run(line: string): Promise<void> {
    await this.commandField.fill(line)
    await this.commandField.press('Enter')
  }
}
