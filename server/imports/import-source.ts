/**
 * Downloads a file from another server. Every URL, also of redirects, must be allowed by the operator. Its host is
 * resolved once, all its addresses must be public, and the connection uses exactly the checked address, so that a
 * later DNS change has no effect.
 */
import { promises as dns } from 'node:dns'
import { isIP, isIPv6 } from 'node:net'
import type { ByteStream } from '#server/storage/node.ts'
import { Fault } from '#wire/fault.ts'
import { allowedUrl } from './allowed-url.ts'
import { fileNameOf } from './file-name.ts'
import { isPublicAddress } from './public-address.ts'

const REDIRECTS = [301, 302, 303, 307, 308]
const REDIRECTS_MAX = 5
/** Time limits for the whole download, and without data. */
const TOTAL_MS = 60 * 60_000
const SILENT_MS = 30_000

export interface ImportLimits {
  /** The allowed hosts, as for `allowedUrl`; with none, imports are disabled. */
  hosts: readonly string[]
  sizeMaxBytes: number
}

/** Access to the network, replaced in tests. */
export interface Network {
  /**
   * Resolves all addresses of a host.
   *
   * @throws system errors
   */
  resolve(host: string): Promise<string[]>
  /** Whether connections to an address are allowed. */
  isAllowed(address: string): boolean
  /** A certificate that is trusted in addition to those of the system. */
  ca?: string
  /** How long the other server may send nothing. */
  silentMs?: number
}

export interface ImportSource {
  /** The name of the file. */
  name: string
  /** @throws Fault tooLarge, unprocessable (fewer bytes than announced, or the connection fails) */
  bytes: ByteStream
}

interface AllowedImports {
  /** @throws Fault badRequest (no valid URL), forbidden (not from this host) */
  requireAllowed(source: string): void
  /** @throws as `openImport` */
  open(source: string, stopped: AbortSignal): Promise<ImportSource>
}

const NETWORK: Network = {
  resolve: async (host) => (await dns.lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
}

/** @returns imports from the hosts that the operator allows; undefined if there is none */
export function createImports(limits: ImportLimits): AllowedImports | undefined {
  if (limits.hosts.length === 0) return undefined
  return {
    requireAllowed: (source) => void allowedUrl(source, limits.hosts),
    open: (source, stopped) => openImport(source, limits, stopped),
  }
}

/**
 * @param stopped aborts the connection
 * @throws Fault badRequest (no valid URL), forbidden (host or address is not allowed), tooLarge, unsupported (the file
 *   is compressed), unprocessable (the other server fails)
 */
export async function openImport(
  address: string,
  limits: ImportLimits,
  stopped: AbortSignal,
  network = NETWORK,
): Promise<ImportSource> {
  const silence = new AbortController()
  const total = AbortSignal.timeout(TOTAL_MS)
  const signal = AbortSignal.any([stopped, silence.signal, total])
  const wait: Wait = async (data) => {
    const timer = setTimeout(() => silence.abort(), network.silentMs ?? SILENT_MS)
    try {
      return await data
    } finally {
      clearTimeout(timer)
    }
  }
  const endedEarly = (cause: unknown) => {
    if (silence.signal.aborted) return failed('The other server stopped sending the file.', cause)
    if (total.aborted) return failed('The download takes too long.', cause)
    return failed('The other server ended the connection before all of the file arrived.', cause)
  }
  try {
    let url = allowedUrl(address, limits.hosts)
    for (let redirects = 0; ; redirects += 1) {
      const response = await wait(sendRequest(url, signal, network))
      const location = response.headers.get('location')
      if (REDIRECTS.includes(response.status) && location !== null) {
        await response.body?.cancel()
        if (redirects >= REDIRECTS_MAX) throw failed('The address redirects too often.')
        const target = allowedUrl(location, limits.hosts, url)
        if (url.protocol === 'https:' && target.protocol === 'http:') {
          throw new Fault('forbidden', 'The URL redirects to one without encryption.', {
            reason: 'importRefused',
          })
        }
        url = target
        continue
      }
      const name = fileNameOf(url, response.headers.get('content-disposition'))
      return { name, bytes: checkedBody(response, limits, { wait, endedEarly }) }
    }
  } catch (error) {
    if (error instanceof Fault) throw error
    throw failed('The other server cannot be reached.', error)
  }
}

/** Waits for data of the other server; aborts the connection if it sends nothing for too long. */
type Wait = <T>(data: Promise<T>) => Promise<T>

/** Sends a request to the checked address of the URL's host. */
async function sendRequest(url: URL, signal: AbortSignal, network: Network): Promise<Response> {
  const pinned = new URL(url)
  const address = await addressOf(url, network)
  pinned.hostname = isIPv6(address) ? `[${address}]` : address
  return fetch(pinned, {
    redirect: 'manual',
    signal,
    // Another host name may have the same address, so connections are not reused.
    keepalive: false,
    decompress: false,
    headers: { Host: url.host, 'Accept-Encoding': 'identity', 'User-Agent': 'filemgr' },
    tls: { serverName: hostOf(url), ...(network.ca && { ca: network.ca }) },
  })
}

/** @throws Fault forbidden (an address is not public); system errors */
async function addressOf(url: URL, { resolve, isAllowed }: Network): Promise<string> {
  const host = hostOf(url)
  const addresses = isIP(host) > 0 ? [host] : await resolve(host)
  const [first] = addresses
  if (first === undefined) throw failed('The other server cannot be reached.')
  if (addresses.every(isAllowed)) return first
  throw new Fault(
    'forbidden',
    `${url.host} is not on the public internet. Files can be imported only from there.`,
    { reason: 'notPublic' },
  )
}

/** The host of a URL; an IPv6 address without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** @throws Fault tooLarge, unsupported, unprocessable */
function checkedBody(
  response: Response,
  { sizeMaxBytes }: ImportLimits,
  { wait, endedEarly }: { wait: Wait; endedEarly: (cause: unknown) => Fault },
): ByteStream {
  const { status, headers, body } = response
  const problem = problemOf(status, headers, sizeMaxBytes)
  if (problem || !body) {
    void body?.cancel()
    throw problem ?? failed('The other server does not send a file.')
  }
  const length = headers.get('content-length')
  const reader = body.getReader()
  let count = 0
  const nextPart = async () => {
    const { done, value } = await wait(reader.read()).catch((error) => {
      throw endedEarly(error)
    })
    count += value?.length ?? 0
    if (count > sizeMaxBytes) throw tooLarge()
    if (done && length !== null && Number(length) !== count) throw endedEarly(undefined)
    return value
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const part = await nextPart()
          if (part) controller.enqueue(part)
          else controller.close()
        } catch (error) {
          void reader.cancel().catch(() => undefined)
          controller.error(error)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function problemOf(status: number, headers: Headers, sizeMaxBytes: number): Fault | undefined {
  if (status !== 200) return failed(`The other server responds with the status ${status}.`)
  if (Number(headers.get('content-length') ?? 0) > sizeMaxBytes) return tooLarge()
  const coding = headers.get('content-encoding') ?? 'identity'
  if (coding !== 'identity') {
    return new Fault(
      'unsupported',
      'The other server compresses the file, which this server does not accept.',
    )
  }
  return undefined
}

function tooLarge(): Fault {
  return new Fault('tooLarge', 'The file is larger than this server may import.')
}

function failed(message: string, cause?: unknown): Fault {
  return new Fault('unprocessable', message, { cause })
}
