/** A small disk inside a served folder, where only the server under attack sees it. */
import { spawnSync } from 'node:child_process'

const UNSHARE: [string, ...string[]] =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '-Urm']

/** Whether this system lets this account make a mount namespace and mount in it. */
export function canMount(): boolean {
  return (
    spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
    0
  )
}

/** The words that start a program in a mount namespace of its own, with a disk at a folder. */
export function withDisk(folder: string, program: readonly string[]): string[] {
  const script = 'mount -t tmpfs -o size=16m,mode=755 tmpfs "$1" && shift && exec "$@"'
  return [...UNSHARE, 'sh', '-c', script, 'sh', folder, ...program]
}
