/** A remote folder (sshfs) below the root of a test's server, which can stop answering and wake up again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { printedBy } from '../server/printed.ts'
import { mounting } from './fuse.ts'
import { entering, inMounts, overlay } from './mounts.ts'

export class SilentMount {
  readonly #folder = temporaryFolder()
  readonly #name: string
  /** Keeps the mount namespace. */
  #holder: ChildProcess | undefined

  /** @param name the name of the mount point in the root */
  constructor(name: string) {
    this.#name = name
    mkdirSync(join(this.root, name), { recursive: true })
    mkdirSync(this.remote())
  }

  /**
   * Mounts the remote folder.
   *
   * @param isLowerLayer whether it is the lower layer of an overlay, a local file system, at the same place
   */
  async open({ isLowerLayer = false } = {}): Promise<void> {
    const at = join(this.root, this.#name)
    const mounts = mounting('sshfs', at, this.remote())
    if (isLowerLayer) mounts.push(overlay(at, at))
    const [program, ...args] = inMounts(this.root, [], mounts)
    this.#holder = spawn(program ?? '', [...args, 'sh', '-c', 'echo mounted; exec sleep 100000'])
    await printedBy(this.#holder).first(/mounted/)
  }

  /** The served folder. */
  get root(): string {
    return join(this.#folder.path, 'root')
  }

  /** A path of the remote folder, which this process sees also while the mount is silent. */
  remote(...names: string[]): string {
    return join(this.#folder.path, 'remote', ...names)
  }

  /** The program for `startServer`. */
  get program(): [string, ...string[]] {
    return entering(this.#holder?.pid, this.#folder.path)
  }

  /** From now on each call that touches the mount waits. */
  silence(): void {
    const pids = this.#processes()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    // The signal stops each thread a moment later, and one may take a question before.
    while (pids.flatMap(threadStates).some((state) => state !== 'T')) Bun.sleepSync(1)
  }

  wake(): void {
    for (const pid of this.#processes()) process.kill(pid, 'SIGCONT')
  }

  /** To be called when the server has ended. */
  remove(): void {
    this.wake()
    this.#holder?.kill()
    for (const pid of this.#processes()) process.kill(pid, 'SIGTERM')
    this.#folder.remove()
  }

  /** The processes that answer for the mount. */
  #processes(): number[] {
    const at = join(this.root, this.#name)
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && wordsOf(pid)[0] === 'sshfs' && wordsOf(pid).includes(at))
  }
}

/** The state of each thread, as in proc_pid_stat(5). */
function threadStates(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? ''
  })
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
