/** filemgr status: shows the state of the running server. */
import type { Command } from 'commander'
import type { Config } from '#server/config/config.ts'
import { loadConfig } from '#server/config/load.ts'
import { type Core, databaseExists } from '#server/core.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import type { ServerStatus } from '#wire/api/status.ts'
import { Fault } from '#wire/fault.ts'
import { configSources } from '../config.ts'
import { endSession, withCore, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { ownUrl } from '../own-url.ts'

const RESPONSE_WITHIN_MS = 10_000
const MIB = 2 ** 20

export function statusCommand(program: Command, io: Io): void {
  const command = program
    .command('status')
    .description('show the state of the running server')
    .option('--url <url>', 'the URL of the server (default: the configured address)')
    .option('--ready', 'only check whether the server is ready; needs no administrator')
    .option('--json', 'print JSON')
    .action((flags: Flags) => run(flags, io))
    .addHelpText('after', '\nExample:\n  filemgr status --json')
  const keys = ['address', 'port', 'baseURL', 'socket', 'cert']
  addOptions(command, (option) => keys.includes(option.key) || isLocationOption(option), io)
}

/** @throws as `connect`, `statusOf` and `withExistingCore` */
async function run(flags: Flags, io: Io): Promise<void> {
  if (flags.ready === true) {
    const { base } = await connect(await serverConfig(io, flags), flags.url)
    io.out(`${base} is ready.`)
    return
  }
  await withExistingCore(io, flags, async (core) => {
    const { base, send } = await connect(core.config, flags.url)
    const status = await statusOf(core, send)
    if (flags.json === true) io.out(JSON.stringify({ url: base, ...status }, null, 2))
    else for (const line of linesOf(base, status)) io.out(line)
  })
}

/** The configuration of the server: with the options of its database, if there is one and no URL is given. */
async function serverConfig(io: Io, flags: Flags): Promise<Config> {
  const config = loadConfig(configSources(io, flags))
  const needsDatabase = flags.url === undefined && (await databaseExists(config.paths.database))
  return needsDatabase ? await withCore(io, flags, (core) => core.config) : config
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** @throws Fault badRequest (no URL), unavailable (no server responds, or it is not ready) */
async function connect(config: Config, urlOption: unknown): Promise<{ base: string; send: Send }> {
  const url = typeof urlOption === 'string' ? urlOption : undefined
  if (url !== undefined && !/^https?:\/\/./i.test(url)) {
    throw new Fault('badRequest', '--url must be a URL, such as http://127.0.0.1:8080.')
  }
  // The path of the Unix socket, if the server listens on one.
  const unix = url === undefined ? config.text('socket') || undefined : undefined
  const base = unix ? 'http://localhost' : (url ?? ownUrl(config)).replace(/\/+$/, '')
  const send: Send = (path, init = {}) => request(base + path, init, unix)
  const ready = await send(API.ready)
  if (!ready.ok) {
    const reason = ready.status === 503 ? ` ${(await ready.text()).trim()}` : ''
    throw new Fault('unavailable', `${base} responds but is not ready.${reason}`)
  }
  return { base, send }
}

/** @throws Fault unavailable, conflict (no administrator, or the server has another database) */
async function statusOf(core: Core, send: Send): Promise<ServerStatus> {
  const admin = (await core.users.list()).find(({ perm }) => perm.admin)
  if (!admin)
    throw new Fault(
      'conflict',
      'There is no administrator. Only an administrator may read the status.',
    )
  const token = await core.sessions.open(admin, { address: '', agent: 'filemgr status' })
  try {
    const response = await send(API.status, { headers: { [TOKEN_HEADER]: token } })
    if (response.ok) return (await response.json()) as ServerStatus
    if (response.status === 401) {
      throw new Fault('conflict', 'The server that responds uses another database.')
    }
    throw new Fault('unavailable', `The server responds with status ${response.status}.`)
  } finally {
    await endSession(core, token)
  }
}

/** @throws Fault unavailable (no server responds) */
async function request(
  url: string,
  init: RequestInit,
  unix: string | undefined,
): Promise<Response> {
  try {
    const signal = AbortSignal.timeout(RESPONSE_WITHIN_MS)
    return await fetch(url, { ...init, signal, ...(unix && { unix }) })
  } catch (cause) {
    const address = unix ?? new URL(url).origin
    const advice = 'Use the --address, --port or --socket of `filemgr serve`, or --url.'
    throw new Fault('unavailable', `No server responds at ${address}. ${advice}`, { cause })
  }
}

function linesOf(url: string, status: ServerStatus): string[] {
  const { version, startedAt, memoryBytes, requests, users, sessions, shares, index, work } = status
  const { count, bytes } = status.unfinishedUploads
  const received =
    bytes === undefined ? 'their disk does not respond' : `${Math.round(bytes / MIB)} MiB`
  return [
    `filemgr ${version} serves at ${url} since ${startedAt}.`,
    `Requests: ${requests}. Memory: ${Math.round(memoryBytes / MIB)} MiB.`,
    `Users: ${users}. Sessions: ${sessions}. Shares: ${shares}.`,
    `Unfinished uploads: ${count}, ${received}.`,
    `Index of names: ${indexText(index)}.`,
    ...(status.readOnly ? ['The served folder is read-only.'] : []),
    ...work.map(({ what, atWork, waiting }) => `${what}: ${atWork} running, ${waiting} waiting.`),
  ]
}

function indexText({ state, names, memoryBytes, ageSec }: ServerStatus['index']): string {
  const size = `${names} names, ${Math.round(memoryBytes / MIB)} MiB`
  const age =
    ageSec === null ? 'not compared with the disk' : `compared ${Math.round(ageSec)} s ago`
  return state === 'ready' ? `${size}, ${age}` : state
}
