import { expect, test } from 'bun:test'
import { Proxies } from '#server/http/context/peer.ts'

const request = (headers: Record<string, string>) => new Request('http://host/', { headers })
const PROXIES = new Proxies(['10.0.0.0/8', '2001:db8::/32'])

test.each([
  ['203.0.113.9', '203.0.113.9'],
  // The client may send an address of its own before those that the proxies add.
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9, 10.1.1.1, 2001:db8::1', '203.0.113.9'],
  ['nonsense, 203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db9::7]:80, 10.1.1.1', '2001:db9::7'],
  ['10.2.2.2, 10.1.1.1', '10.2.2.2'],
  ['nonsense', '10.0.0.1'],
])('behind listed proxies, %s comes from %s', (forwarded, address) => {
  const headers = { 'X-Forwarded-For': forwarded, 'X-Forwarded-Proto': 'https' }
  expect(PROXIES.clientOf(request(headers), '::ffff:10.0.0.1')).toEqual({
    address,
    isSecure: true,
    mayNameUser: true,
  })
})

test('a peer that is not a listed proxy cannot name a client or a user', () => {
  const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' }
  expect(PROXIES.clientOf(request(headers), '192.0.2.1')).toEqual({
    address: '192.0.2.1',
    isSecure: false,
    mayNameUser: false,
  })
})

test('without listed proxies, only the loopback address may name the user, and no peer may name the address', () => {
  const alone = new Proxies([])
  const headers = { 'X-Forwarded-For': '203.0.113.9' }
  expect(alone.clientOf(request(headers), '127.0.0.1')).toMatchObject({
    address: '127.0.0.1',
    mayNameUser: true,
  })
  expect(alone.clientOf(request(headers), 'unix')).toMatchObject({ mayNameUser: false })
  expect(() => new Proxies(['10.0.0.0/99'])).toThrow('trustedProxies')
})
