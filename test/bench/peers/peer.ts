/** Who is measured side by side: a server of the same folder, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** What is asked of a server. */
export type Target = 'small' | 'large' | 'list' | 'listLarge' | 'zip' | 'tar' | 'targz'

export interface Peer {
  name: string
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Starts it; undefined where somebody else has. */
  command: readonly string[] | undefined
  /** Where it runs and keeps what it needs. */
  home: string
  /** What each request carries. */
  headers: Record<string, string>
  /** Addresses below the url; of `small`, without the name of the file. Those that are missing it cannot do. */
  targets: Partial<Record<Target, string>>
  /** Takes away what the bench has made there. */
  clear?(): void
}

/** The folder that all serve. */
export interface Served {
  path: string
  /** Where a peer may keep what it needs; the bench removes it. */
  scratch: string
}

/** Names in the served folder: 10 000 files, as many as a large listing has, and one large file. */
export const TREE = { files: 'files', many: 'many', large: 'large.bin' } as const

/** Where programs of the system may lie beside the usual places. */
export const PATH = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`

export interface Running {
  /** Undefined for one that somebody else has started. */
  pid: number | undefined
  /** From the start to the first answer. */
  startMs: number
  stop(): Promise<void>
}

const ASK_EVERY_MS = 1

/** Starts a peer on the core of servers, and waits for its first answer. @throws Error when it ends before */
export async function run(peer: Peer): Promise<Running> {
  if (!peer.command) return { pid: undefined, startMs: Number.NaN, stop: async () => undefined }
  const [program, ...args] = onServerCore(peer.command)
  const { home } = peer
  const env = { PATH, HOME: home, XDG_CONFIG_HOME: home, TMPDIR: home, LANG: 'C.UTF-8' }
  const startedAt = performance.now()
  const child = spawn(program, args, { env, cwd: home, stdio: 'ignore' })
  while (!(await answers(peer))) {
    if (child.exitCode !== null) throw new Error(`${peer.name} has ended with ${child.exitCode}.`)
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

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const end = once(child, 'exit')
  child.kill('SIGTERM')
  await end
}

/** A command on the core of servers, where the machine can tell cores apart. */
export function onServerCore(command: readonly string[]): [string, ...string[]] {
  const [program = '', ...args] = command
  return TASKSET ? [TASKSET, '-c', '0', program, ...args] : [program, ...args]
}

/** Keeps this process off the core of servers. */
export function moveToClientCore(): void {
  if (TASKSET) Bun.spawnSync([TASKSET, '-a', '-p', '-c', '1', String(process.pid)])
}

const TASKSET = navigator.hardwareConcurrency > 1 ? Bun.which('taskset') : null
