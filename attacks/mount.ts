/** Mounts a small file system inside a served folder, visible only to the server under attack. */
import { spawnSync } from 'node:child_process'

const UNSHARE: [string, ...string[]] =
  process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '-Urm']

/** Whether this system account may create a mount namespace and mount in it. */
export function canMount(): boolean {
  return (
    spawnSync(UNSHARE[0], [...UNSHARE.slice(1), 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status ===
    0
  )
}

/** The command line that starts a program in its own mount namespace, with a file system mounted at a folder. */
export function inMountNamespace(folder: string, program: readonly string[]): string[] {
  const script = 'mount -t tmpfs -o size=16m,mode=755 tmpfs "$1" && shift && exec "$@"'
  return [...UNSHARE, 'sh', '-c', script, 'sh', folder, ...program]
}
