/** Finds the client behind reverse proxies. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { UNIX } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { knownUrlOf } from './request-url.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

/** The client of a request. */
export interface Client {
  /** The client's address, or `unix`. */
  address: string
  /** Whether the client's connection is encrypted. */
  isSecure: boolean
  /** Whether the peer is trusted to name the user in a header (docs/decisions.md 19). */
  mayNameUser: boolean
}

/** The other end of a connection. */
interface Peer {
  /** The normalized address. */
  address: string
  /** Whether the peer is a trusted proxy, whose headers contain the client's address. */
  isProxy: boolean
  mayNameUser: boolean
}

/** Size of the cache of peers. */
const KNOWN_MAX = 1000

/** The proxies whose headers are trusted. */
export class Proxies {
  readonly #forwarding: AddressList
  readonly #namingUsers: AddressList
  /** Cached peers by address. */
  readonly #known = new Map<string, Peer>()

  /**
   * @param trusted addresses, networks and `unix`. If it is empty, no peer is trusted for addresses, and only the local
   *   machine for user names.
   * @throws Fault badRequest (an entry is no address, network or `unix`)
   */
  constructor(trusted: readonly string[]) {
    this.#forwarding = parseAddressList(trusted)
    this.#namingUsers = trusted.length > 0 ? this.#forwarding : parseAddressList(LOOPBACK)
  }

  /** @param peer the address of the other end of the connection, or `unix` */
  clientOf(request: Request, peer: string): Client {
    const { address, isProxy, mayNameUser } = this.#known.get(peer) ?? this.#classify(peer)
    const isSecure = knownUrlOf(request).protocol === 'https:'
    if (!isProxy) return { address, isSecure, mayNameUser }
    const { headers } = request
    const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
    return {
      address: this.#clientIn(headers) ?? address,
      isSecure: scheme === undefined ? isSecure : scheme === 'https',
      mayNameUser,
    }
  }

  #classify(peer: string): Peer {
    const address = normalizeAddress(peer)
    const classified = {
      address,
      isProxy: this.#forwarding(address),
      mayNameUser: this.#namingUsers(address),
    }
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(peer, classified)
    return classified
  }

  /**
   * Each proxy appends the address of its peer. The last one that is not a trusted proxy is the client; if all are
   * trusted, the first.
   */
  #clientIn(headers: Headers): string | undefined {
    const chain = headers.get('x-forwarded-for') ?? headers.get('x-real-ip') ?? ''
    const addresses = chain
      .split(',')
      .map((word) => normalizeAddress(word.trim()))
      .filter(isAddress)
    return addresses.findLast((address) => !this.#forwarding(address)) ?? addresses[0]
  }
}

type AddressList = (address: string) => boolean

/** @throws Fault badRequest (an entry is no address, network or `unix`) */
function parseAddressList(entries: readonly string[]): AddressList {
  const list = new BlockList()
  for (const entry of entries) {
    if (entry !== UNIX) add(list, entry)
  }
  return (address) => {
    if (address === UNIX) return entries.includes(UNIX)
    return isAddress(address) && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  try {
    if (!isAddress(address)) throw new Error('no address')
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : -1, family)
  } catch (cause) {
    throw new Fault(
      'badRequest',
      `trustedProxies must list addresses, networks such as 10.0.0.0/8, or unix, not "${entry}".`,
      { cause },
    )
  }
}

function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

/** Converts an IPv4-mapped IPv6 address to IPv4, and removes brackets and port. */
function normalizeAddress(address: string): string {
  const withoutBrackets = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(withoutBrackets)
    ? withoutBrackets.replace(/:\d+$/, '')
    : withoutBrackets
}
