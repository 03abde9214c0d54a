/** Every answer that a test sees must be one that the server's own description of its API knows. */

interface Described {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const descriptions = new Map<string, Promise<Described | undefined>>()

/**
 * Looks an answer up in `/api/openapi.json`. Addresses that no row serves are none of its business.
 *
 * @param url the server's
 * @param address below it, with its query
 * @throws Error when the row does not know the status
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
  throw new Error(`${method} ${path} answered ${status}, which /api/openapi.json does not know.`)
}

/** A server that is not there any more describes nothing. */
async function describe(url: string): Promise<Described | undefined> {
  const answer = await fetch(`${url}/api/openapi.json`).catch(() => undefined)
  return answer?.ok ? answer.json() : undefined
}

/** `{path}` stands for any number of names at the end, others for one. */
function fits(template: string, path: string): boolean {
  const pattern = template
    .replace(/[.+]/g, '\\$&')
    .replace(/\/\{path\}$/, '(/.*)?')
    .replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}
