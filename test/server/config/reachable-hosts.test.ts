import { expect, test } from 'bun:test'
import type { NetworkInterfaceInfo } from 'node:os'
import type { Config } from '#server/config/config.ts'
import { reachableHosts } from '#server/config/reachable-hosts.ts'

const one = (address: string, internal = false) =>
  ({ address, internal, family: address.includes(':') ? 'IPv6' : 'IPv4' }) as NetworkInterfaceInfo

const INTERFACES = {
  lo: [one('127.0.0.1', true), one('::1', true)],
  eth0: [one('2001:db8::5'), one('fe80::1'), one('192.168.1.5'), one('169.254.3.4')],
}

const hostsOf = (address: string, socket = '') =>
  reachableHosts(
    { text: (key: string) => (key === 'socket' ? socket : address) } as Config,
    INTERFACES,
  )

test.each([
  ['', ['192.168.1.5']],
  ['0.0.0.0', ['192.168.1.5']],
  ['::', ['192.168.1.5', '[2001:db8::5]']],
  ['127.0.0.1', []],
  ['localhost', []],
  ['10.0.0.7', ['10.0.0.7']],
  ['2001:db8::7', ['[2001:db8::7]']],
  ['fe80::1%eth0', []],
  ['feature.example', ['feature.example']],
])('a server that listens on %p is reached by %j', (address, hosts) => {
  expect(hostsOf(address)).toEqual(hosts)
})

test('a server that listens on a socket has no address', () => {
  expect(hostsOf('0.0.0.0', '/run/filemgr.sock')).toEqual([])
})
