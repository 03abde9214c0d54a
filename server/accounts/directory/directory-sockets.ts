/**
 * Connections to directories: encrypted, limited in time and size, and never opened a second time. The library would open
 * another one when the first has ended, then without encryption, and send a password over it.
 */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls, rootCertificates, type TLSSocket } from 'node:tls'
import { BerReader } from 'ldapts'
import type { DirectoryOptions } from '#wire/api/directory.ts'
import { Fault } from '#wire/fault.ts'
import { directoryFault } from './directory-faults.ts'

/** Bytes that a directory may send in one connection: an entry with a thousand groups has a tenth of it. */
const RECEIVED_MAX_BYTES = 2 ** 20

const PORTS: Record<string, number> = { 'ldap:': 389, 'ldaps:': 636 }

/**
 * An extended request with the number 127 and the name of StartTLS (RFC 4511 section 4.14), and the tag of the response.
 */
const START_TLS = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x7f, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
const EXTENDED_RESPONSE = 0x78

/** @throws Fault badRequest */
export function directoryUrl(address: string): URL {
  const url = URL.parse(address)
  const isBare = url && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
  const hasHost = url && url.hostname !== '' && url.username === '' && url.password === ''
  if (url && isBare && hasHost && url.protocol in PORTS) return url
  throw new Fault('badRequest', 'The address of a directory begins with ldaps:// or ldap://.', {
    reason: 'directoryAddress',
    field: 'address',
  })
}

/**
 * Opens a connection.
 *
 * @param signal ends it, at any time
 * @throws Fault unavailable (`directoryDown`, `directorySlow`, `directoryTls`)
 */
export async function openDirectorySocket(
  { address, isPlain, ca }: Pick<DirectoryOptions, 'address' | 'isPlain' | 'ca'>,
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, hostname, port } = directoryUrl(address)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const target = { host, port: Number(port) || (PORTS[protocol] ?? 0) }
  // The authorities of the operator are added to those of the system.
  const certificates = ca === '' ? {} : { ca: [...rootCertificates, ca] }
  const tls = { host, servername: isIP(host) ? '' : host, ...certificates }
  if (protocol === 'ldaps:') {
    const socket = guarded(connectTls({ ...target, ...tls }), signal)
    await opened(socket, 'secureConnect', signal)
    return socket
  }
  const plain = guarded(connectPlain(target), signal)
  await opened(plain, 'connect', signal)
  if (isPlain) return plain
  await startTls(plain, signal)
  const socket = guarded(connectTls({ ...tls, socket: plain }), signal)
  await opened(socket, 'secureConnect', signal)
  return socket
}

/** Ends the socket when the time is over, or when too much was received. */
function guarded<T extends Socket | TLSSocket>(socket: T, signal: AbortSignal): T {
  let received = 0
  const end = () => socket.destroy()
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > RECEIVED_MAX_BYTES) socket.destroy(new Error('The directory sends too much.'))
  })
  // Without a listener, an error would end the server.
  socket.on('error', () => undefined)
  socket.once('close', () => signal.removeEventListener('abort', end))
  signal.addEventListener('abort', end)
  return socket
}

async function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once(event, resolve)
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('The connection ended.')))
  try {
    await promise
  } catch (cause) {
    socket.destroy()
    if (signal.aborted) throw directoryFault('directorySlow', cause)
    const isDown = event === 'connect' || isUnreached(cause)
    throw directoryFault(isDown ? 'directoryDown' : 'directoryTls', cause)
  }
}

/** Whether there is no connection at all. A server without TLS ends it: `ECONNRESET` is another problem. */
function isUnreached(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(?:ECONNREFUSED|ENOTFOUND|EHOST|ENET|EAI_|ETIMEDOUT)/.test(code)
}

/**
 * Asks for encryption. The response must be complete and alone: what came with it, unencrypted, could be from another.
 *
 * @throws Fault
 */
async function startTls(socket: Socket, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received = Buffer.alloc(0)
  const read = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    const [tag, length] = received
    if (length === undefined || received.length < 2 + length) return
    const isWhole = tag === 0x30 && length < 0x80 && received.length === 2 + length
    if (isWhole && isAccepted(received)) resolve()
    else reject(new Error(`StartTLS was refused: ${received.toString('hex').slice(0, 200)}`))
  }
  const close = () => reject(new Error('The connection ended.'))
  socket.on('data', read)
  socket.once('close', close)
  socket.write(START_TLS)
  try {
    await promise
  } catch (cause) {
    socket.destroy()
    throw directoryFault(signal.aborted ? 'directorySlow' : 'directoryTls', cause)
  } finally {
    socket.off('data', read)
    socket.off('close', close)
  }
}

function isAccepted(message: Buffer): boolean {
  const reader = new BerReader(message)
  reader.readSequence()
  const isOurs = reader.readInt() === 0x7f
  return isOurs && reader.readSequence() === EXTENDED_RESPONSE && reader.readEnumeration() === 0
}
