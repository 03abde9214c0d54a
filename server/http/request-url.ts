/** Parses the URL of a request once, because several layers need it. */

let latest: { request: Request; url: URL | null } | undefined

/** @returns null for an invalid address */
export function urlOf(request: Request): URL | null {
  if (latest?.request !== request) latest = { request, url: URL.parse(request.url) }
  return latest.url
}

/** The same for a request whose address was checked before. */
export function knownUrlOf(request: Request): URL {
  return urlOf(request) ?? new URL(request.url)
}
