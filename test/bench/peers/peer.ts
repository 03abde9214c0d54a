/** A server that is measured beside the others: it serves the same folder, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What clients request from a server. */
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
  /** Starts the server; undefined if it runs already. */
  command: readonly string[] | undefined
  /** The working directory, and the place of its own files. */
  home: string
  /** Headers of each request. */
  headers: Record<string, string>
  /** URLs below `url`, for `at`. The server cannot do what is missing. */
  targets: Partial<Record<Target, string>>
  uploadMethod: 'POST' | 'PUT'
  /** The served folder on this machine, below which uploads are written. */
  folder: string
  /** Removes the files of the benchmark from the server. */
  clear?(): void
}

/** @returns the URL of a file: `address` with the names in place of its `*` */
export function at(address: string, ...names: string[]): string {
  return address.replace('*', names.map(encodeURIComponent).join('/'))
}

/** The folder that all servers serve. */
export interface Served {
  path: string
  /** Folders for the servers' own files are created here; the benchmark removes it. */
  scratch: string
}

/** Names in the served folder: 10 000 files, 100 000 files, one large file, and photos. */
export const TREE = { files: 'files', many: 'many', large: 'large.bin', photos: 'photos' } as const

/** Folders with programs of the system, beside the usual ones. */
export const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

export interface Running {
  /** Undefined if the server was not started by the benchmark. */
  pid: number | undefined
  /** From the start to the first response. */
  startMs: number
  stop(): Promise<void>
}

const ASK_EVERY_MS = 1

/** Starts a peer on the core of servers, and waits for its first response. @throws Error if it ends before */
export async function run(peer: Peer): Promise<Running> {
  if (!peer.command) return { pid: undefined, startMs: Number.NaN, stop: async () => undefined }
  const [program, ...args] = onServerCore(peer.command)
  const { home } = peer
  const env = { PATH, HOME: home, XDG_CONFIG_HOME: home, TMPDIR: home, LANG: 'C.UTF-8' }
  const startedAt = performance.now()
  const child = spawn(program, args, { env, cwd: home, stdio: 'ignore' })
  while (!(await answers(peer))) {
    if (hasEnded(child)) throw new Error(`${peer.name} has ended with ${child.exitCode}.`)
    await Bun.sleep(ASK_EVERY_MS)
  }
  const startMs = performance.now() - startedAt
  return { pid: child.pid, startMs, stop: () => ended(child) }
}

async function answers({ url }: Peer): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/no-such-file`, { keepalive: false })
    await answer.arrayBuffer()
    return true
  } catch {
    return false
  }
}

/** Whether the process has ended, by itself or by a signal. */
function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function ended(child: ChildProcess): Promise<void> {
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
