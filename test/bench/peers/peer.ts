/** A server that is compared with others: it serves the same folder, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What a server must be able to do for an operation. */
export type Target =
  | 'small'
  | 'large'
  | 'list'
  | 'listLarge'
  | 'zip'
  | 'tar'
  | 'targz'
  | 'thumbnails'
  | 'upload'
  | 'tus'

export interface Peer {
  name: string
  /** `http://127.0.0.1:PORT` */
  url: string
  /** The command that starts the server; undefined if the server runs already. */
  command: readonly string[] | undefined
  /** The working directory, for the files that the server itself creates. */
  home: string
  /** Headers of each request. */
  headers: Record<string, string>
  /** URL paths, or templates for `urlPath`. The server cannot do what is missing. */
  targets: Partial<Record<Target, string>>
  uploadMethod: 'POST' | 'PUT'
  /** The served folder on this machine, below which uploads are written. */
  folder: string
  /** Removes the files of the benchmark; absent if they are removed with the served folder. */
  clear?(): void
}

/** @returns the URL path of a file: `template` with the names in place of its `*` */
export function urlPath(template: string, ...names: string[]): string {
  return template.replace('*', names.map(encodeURIComponent).join('/'))
}

/** The folder that all servers serve. */
export interface Served {
  path: string
  /** Folders for the servers' own files are created here; the benchmark removes it. */
  scratch: string
}

/** Names in the served folder: 10 000 files, 100 000 files, one large file, and photos. */
export const TREE = { files: 'files', many: 'many', large: 'large.bin', photos: 'photos' } as const

/** The search path, with the folders in which servers are installed. */
export const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

/** A server that has responded. */
export interface RunningPeer {
  /** Undefined if the server was not started by the benchmark. */
  pid: number | undefined
  /** From the start of the process to the first response; NaN for a server that ran already. */
  startMs: number
  stop(): Promise<void>
}

const POLL_MS = 1
const START_MAX_MS = 60_000

/**
 * Starts a peer on the core of servers, and waits for its first response.
 *
 * @throws Error if it ends before, or does not respond within a minute
 */
export async function startPeer(peer: Peer): Promise<RunningPeer> {
  if (!peer.command) return { pid: undefined, startMs: Number.NaN, stop: async () => undefined }
  const [program, ...args] = onServerCore(peer.command)
  const { home } = peer
  const env = { PATH, HOME: home, XDG_CONFIG_HOME: home, TMPDIR: home, LANG: 'C.UTF-8' }
  const startedAt = performance.now()
  const child = spawn(program, args, { env, cwd: home, stdio: 'ignore' })
  while (!(await responds(peer))) {
    if (hasEnded(child)) throw new Error(`${peer.name} has ended with ${child.exitCode}.`)
    if (performance.now() - startedAt > START_MAX_MS) {
      await stop(child)
      throw new Error(`${peer.name} does not respond.`)
    }
    await Bun.sleep(POLL_MS)
  }
  const startMs = performance.now() - startedAt
  return { pid: child.pid, startMs, stop: () => stop(child) }
}

async function responds({ url }: Peer): Promise<boolean> {
  try {
    const response = await fetch(`${url}/no-such-file`, { keepalive: false })
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** Whether the process has ended, by itself or by a signal. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const end = once(child, 'exit')
  child.kill('SIGTERM')
  await end
}

/** A command on the core of servers, if the machine has several cores. */
export function onServerCore(command: readonly string[]): [string, ...string[]] {
  const [program = '', ...args] = command
  return TASKSET ? [TASKSET, '-c', '0', program, ...args] : [program, ...args]
}

/** Moves this process to the core of the client. */
export function moveToClientCore(): void {
  if (TASKSET) Bun.spawnSync([TASKSET, '-a', '-p', '-c', '1', String(process.pid)])
}

const TASKSET = navigator.hardwareConcurrency > 1 ? Bun.which('taskset') : null
