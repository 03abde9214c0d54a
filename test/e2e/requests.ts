import type { Page, Request } from 'playwright/test'

/**
 * The requests that the document of a page sends, and that `matches` accepts. A reload empties the
 * list: what the former document sends until then is by chance.
 */
export function documentRequests(
  page: Page,
  matches: (request: Request) => boolean,
): readonly Request[] {
  const requests: Request[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) requests.length = 0
    else if (matches(request)) requests.push(request)
  })
  return requests
}

/** The path of a request's URL. */
export function pathOf(request: Request): string {
  return new URL(request.url()).pathname
}
