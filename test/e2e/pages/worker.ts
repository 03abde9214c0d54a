import type { Page } from 'playwright/test'

/** Waits until the service worker controls the page. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    const { serviceWorker } = navigator
    if (serviceWorker.controller) return
    await new Promise((done) => serviceWorker.addEventListener('controllerchange', done))
  })
}
