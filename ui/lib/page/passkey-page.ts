/** Where passkeys can be used. Browsers bind them to a host, and refuse IP addresses and pages without encryption. */

/** The origin that stands for all ports of the own machine (docs/api.md 37). */
const OWN_MACHINE = 'http://localhost'

/** @param origin as in `PasskeyList`; empty: nowhere */
export function isPasskeyPage(origin: string): boolean {
  if (!hasPasskeys() || origin === '') return false
  return location.origin === origin || (origin === OWN_MACHINE && isOwnMachine())
}

/** Whether this page could use passkeys that belong to one of these hosts. */
export function isPasskeyHost(hosts: readonly string[]): boolean {
  return hasPasskeys() && hosts.includes(location.hostname)
}

/** Why passkeys cannot be used at this page. */
export type PasskeyObstacle = 'loopback' | 'ip' | 'insecure' | 'unset' | 'away' | 'unsupported'

/** @returns undefined if they can be used */
export function passkeyObstacle(origin: string): PasskeyObstacle | undefined {
  if (isPasskeyPage(origin)) return undefined
  const isSet = origin !== OWN_MACHINE
  if (isSet && origin !== '' && location.origin !== origin) return 'away'
  if (!isSet && isLoopback(location.hostname)) return 'loopback'
  if (!isSet && isAddress(location.hostname)) return 'ip'
  if (origin === '' || location.protocol !== 'https:') return 'insecure'
  return isSet || isOwnMachine() ? 'unsupported' : 'unset'
}

/** The page at `localhost`, which a page at a loopback address of this machine has too. */
export function ownMachineUrl(): string {
  const { protocol, port } = location
  return `${protocol}//localhost${port && `:${port}`}`
}

function hasPasskeys(): boolean {
  return (
    globalThis.isSecureContext && 'PublicKeyCredential' in globalThis && 'credentials' in navigator
  )
}

function isOwnMachine(): boolean {
  return location.hostname === 'localhost'
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)
}
