/** Checks that every response a test receives is described in the server's OpenAPI document. */

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const descriptions = new Map<string, Promise<Described | undefined>>()

/**
 * Looks up a response in `/api/openapi.json`. Addresses without a route are ignored.
 *
 * @param url the address of the server
 * @param address the path of the request, with its query
 * @throws Error if the route does not describe the status
 */
export async function mustBeDescribed(
  url: string,
  method: string,
  address: string,
  status: number,
): Promise<void> {
  const description = descriptions.get(url) ?? describe(url)
  descriptions.set(url, description)
  const { paths } = (await description) ?? { paths: {} }
  const path = address.split('?')[0] ?? ''
  const rows = Object.entries(paths).filter(([template]) => fits(template, path))
  const operations = rows.flatMap(([, row]) => [
    row[method.toLowerCase()],
    method === 'HEAD' ? row.get : undefined,
  ])
  const known = operations.flatMap((operation) => Object.keys(operation?.responses ?? {}))
  if (known.length === 0 || known.includes(String(status))) return
  throw new Error(
    `${method} ${path} answered ${status}, which /api/openapi.json does not describe.`,
  )
}

/** @returns undefined if the server has already stopped */
async function describe(url: string): Promise<Described | undefined> {
  const answer = await fetch(`${url}/api/openapi.json`).catch(() => undefined)
  return answer?.ok ? answer.json() : undefined
}

/** `{path}` matches any number of segments at the end, other parameters match one. */
function fits(template: string, path: string): boolean {
  const pattern = template
    .replace(/[.+]/g, '\\$&')
    .replace(/\/\{path\}$/, '(/.*)?')
    .replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}
