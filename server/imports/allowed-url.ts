/** Checks the URLs of imports: `http` and `https`, on hosts that the operator has named. */
import { Fault } from '#wire/fault.ts'

const PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
const URL_MAX = 4096

/**
 * @param hosts `example.com`, `*.example.com` for its subdomains, `*` for any host, each at the usual port of the
 *   protocol; `example.com:8443` for another port
 * @throws Fault badRequest (no valid URL), forbidden (no pattern of `hosts` matches)
 */
export function allowedUrl(text: string, hosts: readonly string[], base?: URL): URL {
  const url = text.length <= URL_MAX ? URL.parse(text, base?.href) : null
  if (!url) throw new Fault('badRequest', 'This is not a valid URL.')
  const port = PORTS[url.protocol]
  if (port === undefined) throw new Fault('badRequest', 'The URL must begin with http: or https:.')
  if (url.username !== '' || url.password !== '') {
    throw new Fault('badRequest', 'The URL must not contain a user name or a password.')
  }
  if (hosts.some((host) => matchesPattern(url, host, port))) return url
  throw new Fault('forbidden', `This server does not allow imports from ${url.host}.`, {
    reason: 'importRefused',
  })
}

/** @param usual the port of the protocol */
function matchesPattern({ hostname, port: urlPort }: URL, pattern: string, usual: string): boolean {
  const [, host = '', port = usual] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? []
  if ((urlPort || usual) !== port) return false
  // A trailing dot is the same name (RFC 1034 section 3.1).
  const name = hostname.replace(/\.$/, '')
  if (host === '*') return true
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host
}
