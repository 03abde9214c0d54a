/** The names under which this server may be asked for, by the header Host (RFC 9110 section 7.2). */
import { isIPv4 } from 'node:net'

/** A name or an address, and perhaps a port. Anything else is refused before it reaches a parser. */
const WELL_FORMED = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{0,5})?$/i

/** The one that was asked for last: nearly every request asks for the same. */
let latest = ''

/** Whether a header Host, or an entry of `--allowed-hosts`, can be one. */
export function isHost(text: string | null | undefined): text is string {
  if (text === latest && text !== '') return true
  const isOne = WELL_FORMED.test(text ?? '') && URL.canParse(`http://${text}/`)
  if (isOne) latest = text ?? ''
  return isOne
}

export interface HostRules {
  /** What `--allowed-hosts` names. */
  named: readonly string[]
  /** People sign in; otherwise everybody is the first user. */
  signIn: boolean
  /** An origin that is served as well; empty for none. */
  bytesOrigin: string
}

/**
 * Which hosts are served. Without sign-in a page of another site could reach this server through a
 * name of its own that leads here (DNS rebinding), and would be the first user: then, and wherever
 * the operator names hosts, only these are served, beside addresses and localhost.
 *
 * @returns a test for the header Host
 */
export function servedHosts({ named, signIn, bytesOrigin }: HostRules): (host: string) => boolean {
  if (named.length === 0 && signIn) return () => true
  const names = named.map((name) => name.toLowerCase())
  if (bytesOrigin) names.push(new URL(bytesOrigin).hostname)
  return (host) => {
    const name = host.toLowerCase().replace(/:\d*$/, '')
    return isIPv4(name) || name.startsWith('[') || isLocal(name) || names.includes(name)
  }
}

/** Names that browsers lead to their own machine (RFC 6761 section 6.3). */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
