/** Requests to OpenID Connect providers: limited in time and size, and never redirected. */
import { Fault } from '#wire/fault.ts'

/** Time limit of a request, with its body. */
const RESPONSE_WITHIN_MS = 10_000
/** Bytes of a response: documents of providers have a few KiB, and lists of keys some more. */
const BODY_MAX_BYTES = 256 * 1024

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a provider may have this address: `https`, or `http` on this machine. */
export function isProviderAddress(url: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

interface ProviderRequest {
  method?: string
  headers?: Headers | Record<string, string>
  /** Only forms are sent. */
  body?: unknown
}

/**
 * Sends a request to a provider, and reads its response.
 *
 * @throws Fault unavailable (no connection, with the reason; no response in time), unprocessable (a redirect, a body that is too large, an
 *   address without encryption)
 */
export async function fetchFromProvider(
  address: string,
  { method = 'GET', headers: sent = {}, body }: ProviderRequest = {},
): Promise<Response> {
  if (!isProviderAddress(new URL(address))) {
    throw invalid(`The provider names the address ${address}, which does not begin with https:.`)
  }
  const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS)
  try {
    const response = await fetch(address, {
      method,
      headers: sent,
      body: body instanceof URLSearchParams ? body : null,
      redirect: 'manual',
      signal,
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw invalid(`${address} redirects to another address.`)
    }
    const { status } = response
    const headers = new Headers(response.headers)
    // The body is decoded already.
    headers.delete('content-encoding')
    headers.delete('content-length')
    return new Response(await limitedBody(response, address), { status, headers })
  } catch (error) {
    if (error instanceof Fault) throw error
    if (signal.aborted) {
      throw new Fault('unavailable', 'The provider does not respond in time.', {
        reason: 'providerSlow',
        cause: error,
      })
    }
    throw noConnection(error)
  }
}

/** Codes of errors for names that no server has. */
const UNKNOWN_NAME = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']
/** Codes of errors of TLS: those of OpenSSL for certificates, and of a server without TLS. */
const TLS = /CERT|SIGNATURE|ISSUER|^(?:EPROTO|ERR_TLS|ERR_SSL)/

/** @param error of `fetch` */
function noConnection(error: unknown): Fault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (UNKNOWN_NAME.includes(code)) {
    return new Fault('unavailable', 'No server has the name in the address of the provider.', {
      reason: 'providerNameUnknown',
      cause: error,
    })
  }
  if (TLS.test(code)) {
    return new Fault('unavailable', 'There is no trusted connection to the provider.', {
      reason: 'providerTls',
      cause: error,
    })
  }
  return new Fault('unavailable', 'The provider cannot be reached.', {
    reason: 'providerDown',
    cause: error,
  })
}

async function limitedBody(response: Response, address: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let total = 0
  // Leaving the loop cancels the stream.
  for await (const chunk of response.body ?? []) {
    total += chunk.length
    if (total > BODY_MAX_BYTES) throw invalid(`${address} sends more than ${BODY_MAX_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** @param detail for the log of the server */
function invalid(detail: string): Fault {
  return new Fault('unprocessable', 'The response of the provider is not valid.', {
    reason: 'providerInvalid',
    cause: new Error(detail),
  })
}
