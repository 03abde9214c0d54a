/** A small disk that outlives the servers which are started on it, visible only to them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { type Finished, runFilemgr } from '../server/executable.ts'
import { printedBy } from '../server/printed.ts'
import { type ServerOptions, startServer, type TestServer } from '../server/server.ts'
import { entering, inMounts } from './mounts.ts'

/** The file of the other program. */
const FILLER = 'filler'

export class HeldDisk {
  readonly #folder: ReturnType<typeof temporaryFolder>
  /** Keeps the mount namespace. */
  readonly #holder: ChildProcess

  private constructor(folder: ReturnType<typeof temporaryFolder>, holder: ChildProcess) {
    this.#folder = folder
    this.#holder = holder
  }

  static async open(sizeMiB: number): Promise<HeldDisk> {
    const folder = temporaryFolder()
    const [program, ...args] = inMounts(folder.path, [{ at: 'disk', sizeMiB }])
    const holder = spawn(program, [...args, 'sh', '-c', 'echo mounted; exec sleep 100000'])
    await printedBy(holder).first(/mounted/)
    const disk = new HeldDisk(folder, holder)
    mkdirSync(disk.at('root'))
    return disk
  }

  /** The path of the disk's folder as the servers see it. */
  get path(): string {
    return join(this.#folder.path, 'disk')
  }

  /** A path on the disk as this process sees it. */
  at(...names: string[]): string {
    return join(`/proc/${this.#holder.pid}/root${this.path}`, ...names)
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.at())
    return bavail * bsize
  }

  /** Starts a server whose root and database are on the disk. */
  start(options: ServerOptions = {}): Promise<TestServer> {
    const [root, database] = [join(this.path, 'root'), join(this.path, 'filemgr.db')]
    return startServer({ root, database, program: this.#program, ...options })
  }

  /** Runs a command on the database. */
  run(...args: string[]): Promise<Finished> {
    const database = ['--database', join(this.path, 'filemgr.db')]
    const program = this.#program
    return runFilemgr([...args, ...database], { home: this.#folder.path, program })
  }

  /** Another program takes all that is free. */
  fill(): void {
    try {
      for (let bytes = 2 ** 20; ; ) {
        try {
          for (;;) appendFileSync(this.at(FILLER), Buffer.alloc(bytes))
        } catch (error) {
          if (bytes === 1) throw error
          bytes = Math.max(1, bytes >> 4)
        }
      }
    } catch (error) {
      if (!String(error).includes('ENOSPC')) throw error
    }
  }

  /** The other program gives it back. */
  drain(): void {
    rmSync(this.at(FILLER), { force: true })
  }

  get #program(): [string, ...string[]] {
    return entering(this.#holder.pid, this.#folder.path)
  }

  close(): void {
    this.#holder.kill()
    this.#folder.remove()
  }
}
