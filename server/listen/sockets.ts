/** Finds TCP connections of this process by the address of the peer. Linux only; elsewhere none is found. */
import { ptr } from 'bun:ffi'
import { readdirSync, readlinkSync } from 'node:fs'
import { openLibrary } from '#server/os/libc.ts'

const libc = openLibrary({
  getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
  shutdown: { args: ['i32', 'i32'], returns: 'i32' },
})

const DESCRIPTORS = '/proc/self/fd'
const SHUT_RDWR = 2
const AF_INET = 2
/** Size of `sockaddr_in6`. */
const NAME_BYTES = 28
/** The prefix of an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/

/** The other end of a connection. */
export interface Peer {
  address: string
  port: number
}

/**
 * Shuts down the connection with `peer` in both directions by shutdown(2), because Bun offers no way to abort a file
 * it is sending. Data in the kernel's buffers may still arrive.
 *
 * @returns whether there was such a connection
 */
export function shutDownConnection(peer: Peer): boolean {
  const peerName = nameOf(peer.address, peer.port)
  for (const descriptor of sockets()) {
    if (peerOf(descriptor) === peerName) return libc?.shutdown(descriptor, SHUT_RDWR) === 0
  }
  return false
}

function sockets(): number[] {
  try {
    return readdirSync(DESCRIPTORS).filter(isSocket).map(Number)
  } catch {
    return []
  }
}

function isSocket(descriptor: string): boolean {
  try {
    return readlinkSync(`${DESCRIPTORS}/${descriptor}`).startsWith('socket:')
  } catch {
    // The descriptor was closed since the folder was read.
    return false
  }
}

/** @returns the peer of a socket in the form of `nameOf`; undefined if the socket is not connected */
function peerOf(descriptor: number): string | undefined {
  const name = Buffer.alloc(NAME_BYTES)
  const size = new Uint32Array([NAME_BYTES])
  if (libc?.getpeername(descriptor, ptr(name), ptr(size)) !== 0 || size[0] === 0) return undefined
  const port = name.readUInt16BE(2)
  // The family is in host byte order, the addresses in network byte order.
  if (new Uint16Array(name.buffer, name.byteOffset, 1)[0] === AF_INET) {
    return nameOf(name.subarray(4, 8).join('.'), port)
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    name.readUInt16BE(8 + 2 * index).toString(16),
  )
  return nameOf(groups.join(':'), port)
}

/** @returns the same text for all notations of an address, with the port */
function nameOf(address: string, port: number): string {
  const isV6 = address.includes(':') && !MAPPED.test(address)
  const plain = isV6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address
  return `${dotted(plain.replace(MAPPED, ''))} ${port}`
}

/** @returns an IPv4-mapped address in hexadecimal, such as `::ffff:7f00:1`, as IPv4 (`127.0.0.1`); others unchanged */
function dotted(address: string): string {
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [a >> 8, a & 255, b >> 8, b & 255].join('.')
}
