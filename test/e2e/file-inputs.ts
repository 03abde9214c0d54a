import type { BrowserContext } from 'playwright/test'

/** Makes pages choose files and folders with a file input: Playwright cannot answer Chromium's dialogs that return handles. */
export async function preferFileInputs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Reflect.deleteProperty(window, 'showOpenFilePicker')
    Reflect.deleteProperty(window, 'showDirectoryPicker')
  })
}
