/** Parses the URL of a request once, because several layers need it. */

/** The last request with its URL. */
let latest: { request: Request; url: URL | null } | undefined

/** @returns null for an invalid address */
export function urlOf(request: Request): URL | null {
  if (latest?.request !== request) latest = { request, url: URL.parse(request.url) }
  return latest.url
}

/** The URL of a request whose address was checked before. */
export function knownUrlOf(request: Request): URL {
  return urlOf(request) ?? new URL(request.url)
}
