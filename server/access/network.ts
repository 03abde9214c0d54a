/** Whose an address is, as far as one can tell from it. */
import { isIPv6 } from 'node:net'

/**
 * What is counted of an address: itself, or of IPv6 the 64 bits before the interface's own
 * (RFC 4291 section 2.5.1), since one machine has all addresses below them.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const [written = ''] = address.split('%')
  const [head = '', tail] = new URL(`http://[${written}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail?.split(':').filter((group) => group !== '') ?? []
  const gap = tail === undefined ? 0 : 8 - groups.length - after.length
  const whole = [...groups, ...Array<string>(gap).fill('0'), ...after]
  return `${whole.slice(0, 4).join(':')}::/64`
}
