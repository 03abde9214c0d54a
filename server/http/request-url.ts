/** The address of a request, parsed once: everybody who looks at a request first looks at that. */

let latest: { request: Request; url: URL | null } | undefined

/** @returns null for an address that makes no sense */
export function urlOf(request: Request): URL | null {
  if (latest?.request !== request) latest = { request, url: URL.parse(request.url) }
  return latest.url
}

/** The same of a request that is being answered, whose address has been looked at. */
export function knownUrlOf(request: Request): URL {
  return urlOf(request) ?? new URL(request.url)
}
