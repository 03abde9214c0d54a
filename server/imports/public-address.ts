/** Decides which addresses are on the public internet; no others are connected to. */
import { BlockList, isIP, isIPv6 } from 'node:net'

/** IPv4 addresses that are not public (IANA's registry of special purposes, RFC 6890). */
const SPECIAL_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/**
 * The public part of IPv6 (RFC 4291); embedded IPv4 addresses, tunnels, documentation and test ranges are excluded.
 */
const GLOBAL_V6 = ['2000::', 3] as const
const SPECIAL_V6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const SPECIAL = blockList([...SPECIAL_V4, ...SPECIAL_V6])
const GLOBAL = blockList([GLOBAL_V6])

/** Whether an address is public: not private, local or reserved. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (!isIPv6(address)) return !SPECIAL.check(address, 'ipv4')
  return GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

function blockList(networks: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) {
    list.addSubnet(network, prefix, isIPv6(network) ? 'ipv6' : 'ipv4')
  }
  return list
}
