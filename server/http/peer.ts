/** Who is really calling, when reverse proxies stand in between. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { Fault } from '#wire/fault.ts'
import { UNIX } from '#wire/session.ts'
import { knownUrlOf } from './request-url.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

export interface Caller {
  /** The person's address, or `unix`. */
  address: string
  /** The person's connection is encrypted. */
  secure: boolean
  /** The nearest peer may say who the person is (docs/decisions.md 19). */
  vouches: boolean
}

/** Whoever is at the other end of a connection. */
interface Peer {
  nearest: string
  forwards: boolean
  vouches: boolean
}

/** More are looked at again when they come back. */
const KNOWN_MAX = 1000

/** The proxies whose headers are believed. */
export class Proxies {
  readonly #forwarding: Listed
  readonly #vouching: Listed
  /** Peers that have asked, by their addresses as the runtime says them. */
  readonly #known = new Map<string, Peer>()

  /**
   * @param words addresses, networks and `unix`. Where none is named nobody is believed about
   *   addresses, and the own machine about names
   * @throws Fault badRequest
   */
  constructor(words: readonly string[]) {
    this.#forwarding = listed(words)
    this.#vouching = words.length > 0 ? this.#forwarding : listed(LOOPBACK)
  }

  /** @param peer the address at the other end of the connection, or `unix` */
  callerOf(request: Request, peer: string): Caller {
    const { nearest, forwards, vouches } = this.#known.get(peer) ?? this.#look(peer)
    const secure = knownUrlOf(request).protocol === 'https:'
    if (!forwards) return { address: nearest, secure, vouches }
    const { headers } = request
    const scheme = headers.get('x-forwarded-proto')?.split(',')[0]?.trim()
    return {
      address: this.#farthestTrusted(headers) ?? nearest,
      secure: scheme === undefined ? secure : scheme === 'https',
      vouches,
    }
  }

  #look(peer: string): Peer {
    const nearest = plain(peer)
    const looked = {
      nearest,
      forwards: this.#forwarding(nearest),
      vouches: this.#vouching(nearest),
    }
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(peer, looked)
    return looked
  }

  /** Each proxy adds whom it saw at the end; the first from there that is no proxy is the person. */
  #farthestTrusted(headers: Headers): string | undefined {
    const chain = headers.get('x-forwarded-for') ?? headers.get('x-real-ip') ?? ''
    const addresses = chain
      .split(',')
      .map((word) => plain(word.trim()))
      .filter(isAddress)
    return addresses.findLast((address) => !this.#forwarding(address)) ?? addresses[0]
  }
}

type Listed = (address: string) => boolean

/** @throws Fault badRequest */
function listed(words: readonly string[]): Listed {
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
      `trustedProxies wants addresses, networks such as 10.0.0.0/8, or unix, not "${word}".`,
      { cause },
    )
  }
}

function isAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

/** An IPv4 address that arrives in IPv6's clothes is that address; a port is left out. */
function plain(address: string): string {
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^::ffff:(?=\d+\.)/i, '')
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(bare) ? bare.replace(/:\d+$/, '') : bare
}
