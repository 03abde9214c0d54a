import type { BrowserContext } from 'playwright/test'

/** Makes pages choose files with a file input: Playwright cannot answer the dialog of Chromium that returns handles. */
export async function preferFileInputs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'showOpenFilePicker'))
}
