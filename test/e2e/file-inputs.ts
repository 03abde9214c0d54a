import type { BrowserContext } from 'playwright/test'

/** Files are chosen by a file input: Playwright cannot answer the dialog of Chromium that gives handles. */
export async function preferFileInputs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
}
