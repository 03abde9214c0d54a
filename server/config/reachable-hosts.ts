/** The addresses at which other devices may reach the server, found without network requests. */
import { networkInterfaces } from 'node:os'
import type { Config } from './config.ts'

/**
 * @returns hosts for URLs: those of all interfaces if the server listens on all, with IPv4 before IPv6, and IPv6 only
 *   if it listens on `::`; none if it listens on loopback, on a link-local IPv6 address, or on a socket
 */
export function reachableHosts(config: Config, interfaces = networkInterfaces()): string[] {
  if (config.text('socket') !== '') return []
  const listenAddress = config.text('address')
  if (listenAddress !== '' && listenAddress !== '0.0.0.0' && listenAddress !== '::') {
    const hasNoUrl = isLoopback(listenAddress) || needsInterface(listenAddress)
    return hasNoUrl ? [] : [hostInUrl(listenAddress)]
  }
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? [])
  const reachable = all.filter(
    ({ internal, address, family }) =>
      !internal && !isLinkLocal(address) && (listenAddress === '::' || family === 'IPv4'),
  )
  return reachable
    .sort((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => hostInUrl(address))
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || address.startsWith('127.')
}

function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.') || needsInterface(address)
}

/** Whether an address is link-local IPv6: it needs the name of an interface, which URLs in browsers cannot contain. */
function needsInterface(address: string): boolean {
  return /^fe[89ab][0-9a-f]:/i.test(address)
}

/** An address as a URL contains it: IPv6 in brackets (RFC 3986 3.2.2). */
export function hostInUrl(address: string): string {
  return address.includes(':') ? `[${address}]` : address
}
