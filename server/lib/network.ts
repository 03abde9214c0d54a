/** Groups client addresses, so that limits count all addresses of one machine as one. */
import { isIPv6 } from 'node:net'

/**
 * @returns an IPv4 address itself; of an IPv6 address the 64-bit prefix (RFC 4291 section 2.5.1), because one machine
 *   has all addresses below it
 */
export function networkPrefix(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const [withoutZone = ''] = address.split('%')
  const [head = '', tail] = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail?.split(':').filter((group) => group !== '') ?? []
  const gap = tail === undefined ? 0 : 8 - groups.length - after.length
  const whole = [...groups, ...Array<string>(gap).fill('0'), ...after]
  return `${whole.slice(0, 4).join(':')}::/64`
}
