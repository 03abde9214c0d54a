import { expect, test } from 'bun:test'
import { networkPrefix } from '#server/lib/network.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['unix', 'unix'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('limits count the address %s as %s', (address, counted) => {
  expect(networkPrefix(address)).toBe(counted)
})
