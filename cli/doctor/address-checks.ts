/** Checks whether clients reach the server, by requests to its public URL. */

import type { Core } from '#server/core.ts'
import type { AuditEntry } from '#wire/api/audit.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { endSession } from '../core.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const RESPONSE_TIMEOUT_MS = 15_000
/** A body larger than the default limit of proxies, such as 1 MiB of nginx. */
const LARGE_BYTES = 12 * 1024 * 1024
/** A larger difference of the clocks is a problem. */
const CLOCK_DIFFERENCE_MAX_MS = 60_000

/** @param url the public URL of the server; it must be valid */
export async function addressFindings(core: Core, url: string): Promise<Finding[]> {
  // Scheme and host become lower case.
  const base = new URL(url).href.replace(/\/+$/, '')
  const admin = (await core.users.list()).find(({ perm }) => perm.admin)
  const findings: Finding[] = []
  if (!base.startsWith('https://') && !isLocal(base)) {
    findings.push(
      problem(
        `${base} is plain HTTP: passwords are sent without encryption.`,
        'Configure a TLS certificate for the proxy.',
      ),
    )
  }
  const health = await ask(`${base}${API.health}`)
  if (!health?.ok || !(await textOf(health)).includes('"OK"')) {
    return [
      ...findings,
      problem(
        `No filemgr server responds at ${base}.`,
        'Start the server, or read the log of the proxy.',
      ),
    ]
  }
  findings.push(ok(`filemgr responds at ${base}.`), clockFinding(health))
  findings.push(await prefixFinding(base), await bodyFinding(base))
  if (admin) {
    const caller = { address: '', agent: 'filemgr doctor' }
    const token = await core.sessions.open(admin, caller)
    try {
      // If commands are off, the server refuses every WebSocket.
      if (core.config.flag('exec')) findings.push(await socketFinding(base, token))
      findings.push(await callerFinding(base, token))
    } finally {
      await endSession(core, token)
    }
  }
  return findings
}

function clockFinding({ headers }: Response): Finding {
  const differenceMs = Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())
  if (Number.isNaN(differenceMs)) {
    return warning(
      'The response has no Date header, so the clocks were not compared.',
      'Configure the proxy to pass the header on.',
    )
  }
  return differenceMs > CLOCK_DIFFERENCE_MAX_MS
    ? problem(
        'The clocks differ by more than a minute.',
        'Synchronise them with NTP: links and sessions expire by the clock.',
      )
    : ok('The clocks agree.')
}

async function prefixFinding(base: string): Promise<Finding> {
  const api = await askJson<{ servers?: { url: string }[] }>(`${base}${API.openapi}`)
  const prefix = new URL(base).pathname.replace(/\/+$/, '')
  const published = prefix || '/'
  const configured = api?.servers?.[0]?.url
  if (configured === undefined) {
    return warning(
      'The public path was not checked: the description of the API does not pass the proxy.',
      `Configure the proxy to pass ${API.openapi} on.`,
    )
  }
  if (configured === published)
    return ok(`The public path is ${published}, as the server is configured.`)
  return problem(
    `The public path is ${published}, but the server is configured for ${configured}.`,
    `Start it with --base-url ${published}`,
  )
}

/** The address exists in no version, so the request is refused without a record of a failed sign-in. */
const UNKNOWN = '/api/doctor'

async function bodyFinding(base: string): Promise<Finding> {
  const response = await ask(`${base}${UNKNOWN}`, {
    method: 'POST',
    body: 'x'.repeat(LARGE_BYTES),
  })
  // The server's own refusal has our header; that of a proxy does not.
  return response?.headers.has('x-fault')
    ? ok('Large requests pass the proxy.')
    : problem(
        'A request of 12 MiB does not pass the proxy.',
        'Raise the proxy’s limit: client_max_body_size 0 in nginx.',
      )
}

async function socketFinding(base: string, token: string): Promise<Finding> {
  return (await canOpenSocket(`${base.replace('http', 'ws')}${API.command}/`, token))
    ? ok('WebSockets pass the proxy.')
    : warning(
        'WebSockets do not pass the proxy.',
        'Configure the proxy to pass the headers Upgrade and Connection on; terminals need them.',
      )
}

/** Whether a WebSocket opens in time. */
function canOpenSocket(url: string, token: string): Promise<boolean> {
  // Bun's WebSocket accepts headers, which the DOM type lacks.
  const socket = new WebSocket(url, { headers: { [TOKEN_HEADER]: token } } as object as string[])
  return new Promise((resolve) => {
    const finish = (isOpen: boolean) => {
      resolve(isOpen)
      socket.close()
    }
    socket.onopen = () => finish(true)
    socket.onerror = () => finish(false)
    setTimeout(() => finish(false), RESPONSE_TIMEOUT_MS).unref()
  })
}

/** Reads from the audit log which client address the server has seen. */
async function callerFinding(base: string, token: string): Promise<Finding> {
  const headers = { [TOKEN_HEADER]: token }
  const mark = `filemgr-doctor-${crypto.randomUUID()}`
  await ask(`${base}${API.raw}/${mark}`, { headers })
  const records = await askJson<AuditEntry[]>(`${base}${API.audit}?path=${mark}`, { headers })
  const address = records?.[0]?.address
  if (address === undefined) {
    return warning(
      'The audit record has no entry for the test request, so the addresses of visitors were not checked.',
      'Read the log of the server.',
    )
  }
  const isOwn = /^(127\.|::ffff:127\.|::1$|unix$|$)/.test(address)
  return isOwn && !isLocal(base)
    ? warning(
        `The server sees the same address for every visitor: ${address || 'none'}.`,
        'Configure the proxy to send X-Forwarded-For, and name the proxy with --trusted-proxies.',
      )
    : ok(`The server sees this machine as ${address}.`)
}

/** @returns undefined without a response, or if the response is not JSON, because a proxy has sent it */
async function askJson<Shape>(url: string, init: RequestInit = {}): Promise<Shape | undefined> {
  const response = await ask(url, init)
  if (!response?.headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    return JSON.parse(await textOf(response)) as Shape
  } catch {
    return undefined
  }
}

/** The body; empty if the connection was lost. */
async function textOf(response: Response): Promise<string> {
  return await response.text().catch(() => '')
}

/** Whether the host of a URL is this machine. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname)
}

/** @returns undefined if no server responds in time */
async function ask(url: string, init: RequestInit = {}): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    })
  } catch {
    return undefined
  }
}
