/** Checks the Host header (RFC 9110 section 7.2). */
import { isIPv4 } from 'node:net'

/** A name or address with an optional port. Everything else is refused before it is parsed. */
const WELL_FORMED = /^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{0,5})?$/i

/** The last valid host, which is not checked again: most requests have the same one. */
let latest = ''

/** Whether the text is a valid Host header. */
export function isHost(text: string | null | undefined): text is string {
  if (text === latest && text !== '') return true
  const isValid = WELL_FORMED.test(text ?? '') && URL.canParse(`http://${text}/`)
  if (isValid) latest = text ?? ''
  return isValid
}

export interface HostRules {
  /** The names in `--allowed-hosts`. */
  allowedHosts: readonly string[]
  /** Whether users sign in; otherwise every request acts as the user with the id 1. */
  hasSignIn: boolean
  /** The content origin, which is always served; empty if there is none. */
  contentOrigin: string
}

/**
 * Restricts the hosts that are served. Without sign-in, a page of another site could reach the server by DNS
 * rebinding and act as that user; then, and if the operator names hosts, only these are served, besides
 * addresses and localhost.
 *
 * @returns a predicate for the Host header
 */
export function servedHosts({
  allowedHosts,
  hasSignIn,
  contentOrigin,
}: HostRules): (host: string) => boolean {
  if (allowedHosts.length === 0 && hasSignIn) return () => true
  const names = allowedHosts.map((name) => name.toLowerCase())
  if (contentOrigin) names.push(new URL(contentOrigin).hostname)
  return (host) => {
    const name = host.toLowerCase().replace(/:\d*$/, '')
    return isIPv4(name) || name.startsWith('[') || isLocal(name) || names.includes(name)
  }
}

/** Names that resolve to the client's own machine (RFC 6761 section 6.3). */
function isLocal(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost')
}
