/** The address at which browsers reach this installation (docs/api.md 1.13). */
import { Fault } from '#wire/fault.ts'

/** Longer addresses do not fit into the requests that contain them. */
const LENGTH_MAX = 2000

/**
 * Normalizes a public address. Redirects and passkeys are bound to it, so it must be exact.
 *
 * @param text as an administrator types it: `https://Files.example.org/files/`
 * @returns scheme, host, port and path without a slash at the end: `https://files.example.org/files`; empty if it is not set
 * @throws Fault badRequest for a text that is no address of a website
 */
export function parsePublicAddress(text: string): string {
  const typed = text.trim()
  if (typed === '') return ''
  const url = URL.parse(typed)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  // `http:host` is accepted by parsers, but no one means it.
  if (!url || !isWeb || !/^https?:\/\//i.test(typed) || typed.length > LENGTH_MAX)
    throw refusal(text)
  if (url.username || url.password || url.search || url.hash) throw refusal(text)
  return url.origin + url.pathname.replace(/\/+$/, '')
}

function refusal(text: string): Fault {
  const start = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new Fault(
    'badRequest',
    `“${start}” is no public address. It has a scheme, a host and perhaps a path: https://files.example.org/files.`,
    { reason: 'publicAddressInvalid', field: 'publicAddress' },
  )
}
