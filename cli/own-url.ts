/** The URL of this installation's server, from its options. */
import type { Config } from '#server/config/config.ts'
import { baseUrl } from '#server/config/load.ts'
import { hostInUrl } from '#server/config/reachable-hosts.ts'

/** The URL at which this machine reaches the server, without a trailing slash. */
export function ownUrl(config: Config): string {
  const address = config.text('address')
  const listensEverywhere = ['', '0.0.0.0', '::'].includes(address)
  const scheme = config.text('cert') ? 'https' : 'http'
  const host = listensEverywhere ? '127.0.0.1' : hostInUrl(address)
  return `${scheme}://${host}:${config.number('port')}${baseUrl(config)}`
}
