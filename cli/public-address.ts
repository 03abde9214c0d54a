/** What an operator is told while the public address is not set. */
import type { Config } from '#server/config/config.ts'
import { ownCommand } from '#server/config/own-command.ts'

/**
 * Browsers allow passkeys only for a name, and except for `localhost` only with https, never for an IP address.
 *
 * @param served the URL of the server as other devices may reach it; empty if it is unknown
 * @returns a command if the address is known, else where it is set
 */
export function publicAddressAdvice(config: Config, served: string): string {
  const address = addressWithName(served)
  if (address)
    return `Passkeys and single sign-on need it: ${ownCommand(config, ['config', 'set', 'publicAddress', address])}`
  return 'Passkeys and single sign-on need it: an address with https and a name, not an IP address. Set it in the settings, on the page Access.'
}

function addressWithName(served: string): string {
  const url = URL.parse(served)
  if (!url) return ''
  if (url.hostname === '[::1]' || url.hostname.startsWith('127.')) {
    url.hostname = 'localhost'
    return url.href.replace(/\/$/, '')
  }
  return url.hostname === 'localhost' || (url.protocol === 'https:' && !isIpAddress(url.hostname))
    ? served
    : ''
}

function isIpAddress(host: string): boolean {
  return host.startsWith('[') || /^[\d.]+$/.test(host)
}
