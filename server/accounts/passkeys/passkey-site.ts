/** Where passkeys can be used: browsers bind each to a host, and refuse IP addresses and pages without encryption. */
import { isIP } from 'node:net'

/** A host with passkeys (WebAuthn: the relying party). */
export interface PasskeySite {
  /** The host, without a port. */
  rpId: string
  /** The origin of the page that asks for a passkey. */
  origin: string
}

/**
 * The host of passkeys comes from the public address, and never from a header that a client or a proxy sets. Only without
 * a public address, `localhost` counts, so that a first try on the own machine needs no settings: the browser itself
 * makes sure that it is this machine, and a passkey of it is of no use elsewhere.
 *
 * @param publicAddress as in the settings; empty: not set
 * @param pageOrigin the header Origin of the request
 * @returns undefined if no passkey can be used
 */
export function passkeySite(publicAddress: string, pageOrigin: string): PasskeySite | undefined {
  if (publicAddress !== '') return siteOf(publicAddress)
  const site = siteOf(pageOrigin)
  return site?.rpId === LOCALHOST ? site : undefined
}

/**
 * The page at which passkeys are used.
 *
 * @returns `http://localhost` without a public address: it stands for all ports; undefined if there is none
 */
export function passkeyPage(publicAddress: string): PasskeySite | undefined {
  return siteOf(publicAddress === '' ? `http://${LOCALHOST}` : publicAddress)
}

const LOCALHOST = 'localhost'

function siteOf(address: string): PasskeySite | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, origin } = new URL(address)
  const isSecure = protocol === 'https:' || (protocol === 'http:' && hostname === LOCALHOST)
  const isNamed = hostname !== '' && isIP(hostname) === 0 && !hostname.startsWith('[')
  return isSecure && isNamed ? { rpId: hostname, origin } : undefined
}
