/** Finds the client behind reverse proxies. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { Fault } from '#wire/fault.ts'
import { UNIX } from '#wire/session.ts'
import { knownUrlOf } from './request-url.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

export interface Caller {
  /** The client's address, or `unix`. */
  address: string
  /** Whether the client's connection is encrypted. */
  secure: boolean
  /** Whether the peer is trusted to name the user in a header (docs/decisions.md 19). */
  mayNameUser: boolean
}

/** The other end of a connection. */
interface Peer {
  nearest: string
  forwards: boolean
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
   * @param words addresses, networks and `unix`. If it is empty, no peer is trusted for addresses, and only the local
   *   machine for user names.
   * @throws Fault badRequest
   */
  constructor(words: readonly string[]) {
    this.#forwarding = parseAddressList(words)
    this.#namingUsers = words.length > 0 ? this.#forwarding : parseAddressList(LOOPBACK)
  }

  /** @param peer the address of the other end of the connection, or `unix` */
  callerOf(request: Request, peer: string): Caller {
    const { nearest, forwards, mayNameUser } = this.#known.get(peer) ?? this.#classify(peer)
    const secure = knownUrlOf(request).protocol === 'https:'
    if (!forwards) return { address: nearest, secure, mayNameUser }
    const { headers } = request
    const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
    return {
      address: this.#farthestTrusted(headers) ?? nearest,
      secure: scheme === undefined ? secure : scheme === 'https',
      mayNameUser,
    }
  }

  #classify(peer: string): Peer {
    const nearest = normalizeAddress(peer)
    const looked = {
      nearest,
      forwards: this.#forwarding(nearest),
      mayNameUser: this.#namingUsers(nearest),
    }
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(peer, looked)
    return looked
  }

  /** Each proxy appends the address it saw; the last one that is not a trusted proxy is the client. */
  #farthestTrusted(headers: Headers): string | undefined {
    const chain = headers.get('x-forwarded-for') ?? headers.get('x-real-ip') ?? ''
    const addresses = chain
      .split(',')
      .map((word) => normalizeAddress(word.trim()))
      .filter(isAddress)
    return addresses.findLast((address) => !this.#forwarding(address)) ?? addresses[0]
  }
}

type AddressList = (address: string) => boolean

/** @throws Fault badRequest */
function parseAddressList(words: readonly string[]): AddressList {
  const list = new BlockList()
  for (const word of words) {
    if (word !== UNIX) add(list, word)
  }
  return (address) => {
    if (address === UNIX) return words.includes(UNIX)
    return isAddress(address) && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

function add(list: BlockList, word: string): void {
  const [address = '', bits] = word.split('/')
  const family = isIPv4(address) ? 'ipv4' : 'ipv6'
  try {
    if (!isAddress(address)) throw new Error('no address')
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : -1, family)
  } catch (cause) {
    throw new Fault(
      'badRequest',
      `trustedProxies must list addresses, networks such as 10.0.0.0/8, or unix, not "${word}".`,
      { cause },
    )
  }
}

function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

/** Converts an IPv4-mapped IPv6 address to IPv4, and removes a port. */
function normalizeAddress(address: string): string {
  const withoutBrackets = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(withoutBrackets)
    ? withoutBrackets.replace(/:\d+$/, '')
    : withoutBrackets
}
