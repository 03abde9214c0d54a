import type { Page, Request } from 'playwright/test'

/**
 * Loads the page's URL as a new document, and returns the requests of this document that `matches`
 * accepts, in the order in which they are sent, later ones included.
 *
 * A reload is not enough: the former document sends requests until the new one arrives, even after
 * the request of the navigation. An empty document comes between the two.
 */
export async function requestsAfterReload(
  page: Page,
  matches: (request: Request) => boolean,
): Promise<readonly Request[]> {
  const url = page.url()
  await page.goto('about:blank')
  const requests: Request[] = []
  page.on('request', (request) => {
    if (!request.isNavigationRequest() && matches(request)) requests.push(request)
  })
  await page.goto(url)
  return requests
}

/** The path of a request's URL. */
export function pathOf(request: Request): string {
  return new URL(request.url()).pathname
}
