/** Another file system inside the served folder, where only the server of a test sees it. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { filemgr } from './executable.ts'

/**
 * A mount below the served root: a small disk of its own (that holds so many things), or a folder from
 * elsewhere.
 */
export type Mount = { at: string } & ({ sizeMiB: number; things?: number } | { folder: string })

const UNSHARE = process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '-Urm']

/** Why this machine lets a test mount nothing; undefined where it does. */
export const noMounts = refusal()

/** The program for `startServer`: filemgr as `inMounts` starts it. */
export function withMounts(
  root: string,
  mounts: readonly Mount[],
  more: readonly string[] = [],
): [string, ...string[]] {
  const [program, ...words] = inMounts(root, mounts, more)
  return [program, ...words, ...filemgr()]
}

/**
 * What to write before a command, to run it in a mount namespace of its own. The folders are made.
 *
 * @param more commands of the shell, after the mounts
 */
export function inMounts(
  root: string,
  mounts: readonly Mount[],
  more: readonly string[] = [],
): [string, ...string[]] {
  const commands = mounts.map((mount) => {
    const at = join(root, mount.at)
    mkdirSync(at, { recursive: true })
    // Once more in the script: it may lie in a mount before it.
    if ('folder' in mount) return `mkdir -p '${at}' && mount --bind '${mount.folder}' '${at}'`
    // The top itself is one of them.
    const things = mount.things ? `,nr_inodes=${mount.things + 1}` : ''
    const options = `size=${mount.sizeMiB}m,mode=755${things}`
    return `mkdir -p '${at}' && mount -t tmpfs -o ${options} tmpfs '${at}'`
  })
  const script = `${[...commands, ...more].join(' && ')} && exec "$@"`
  return [UNSHARE[0] ?? '', ...UNSHARE.slice(1), 'sh', '-c', script, 'sh']
}

/** A path as the server sees it, for a test that looks into its mounts. */
export function seenBy(pid: number, path: string): string {
  return `/proc/${pid}/root${path}`
}

function refusal(): string | undefined {
  const script = 'mount -t tmpfs tmpfs /mnt && mount --bind /mnt /mnt'
  const { success, stderr } = Bun.spawnSync([...UNSHARE, 'sh', '-c', script])
  return success ? undefined : `This machine mounts nothing for a test: ${stderr.toString().trim()}`
}
