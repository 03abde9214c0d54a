/** Another file system inside the served folder, visible only to the server of a test. */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { filemgr } from '../server/executable.ts'

/**
 * A mount below the served root: a small disk (with a limit of inodes), a folder from elsewhere, or an overlay with a
 * lower layer.
 */
export type Mount = { at: string } & (
  | { sizeMiB: number; inodes?: number }
  | { folder: string }
  | { lower: string }
)

const UNSHARE = process.getuid?.() === 0 ? ['unshare', '--mount'] : ['unshare', '-Urm']

/** Why this machine does not allow mounts; undefined if it does. */
export const noMounts = refusal()

/** The program for `startServer`: filemgr started by `inMounts`. */
export function withMounts(
  root: string,
  mounts: readonly Mount[],
  more: readonly string[] = [],
): [string, ...string[]] {
  const [program, ...args] = inMounts(root, mounts, more)
  return [program, ...args, ...filemgr()]
}

/**
 * The prefix of a command that runs it in its own mount namespace. The folders are created.
 *
 * @param more shell commands after the mounts
 */
export function inMounts(
  root: string,
  mounts: readonly Mount[],
  more: readonly string[] = [],
): [string, ...string[]] {
  const commands = mounts.map((mount) => {
    const at = join(root, mount.at)
    mkdirSync(at, { recursive: true })
    // Created again in the script: it may be inside an earlier mount.
    if ('folder' in mount) return `mkdir -p '${at}' && mount --bind '${mount.folder}' '${at}'`
    if ('lower' in mount) return `mkdir -p '${at}' && ${overlay(mount.lower, at)}`
    // The root folder uses one inode itself.
    const inodes = mount.inodes ? `,nr_inodes=${mount.inodes + 1}` : ''
    const options = `size=${mount.sizeMiB}m,mode=755${inodes}`
    return `mkdir -p '${at}' && mount -t tmpfs -o ${options} tmpfs '${at}'`
  })
  const script = `${[...commands, ...more].join(' && ')} && exec "$@"`
  return [UNSHARE[0] ?? '', ...UNSHARE.slice(1), 'sh', '-c', script, 'sh']
}

/**
 * The program of `startServer` with processes of its own, as on another machine: no process outside tells whether it
 * runs. It is killed at the end.
 */
export function onOtherMachine(program: [string, ...string[]]): [string, ...string[]] {
  return ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', ...program]
}

/**
 * @param holder the id of a process that keeps a mount namespace
 * @returns filemgr as a program that runs in that namespace
 */
export function entering(holder: number | undefined, folder: string): [string, ...string[]] {
  const namespaces = process.getuid?.() === 0 ? ['-m'] : ['-U', '-m', '--preserve-credentials']
  return ['nsenter', '-t', `${holder}`, ...namespaces, `--wd=${folder}`, ...filemgr()]
}

/** Why this machine does not allow an overlay; undefined if it does. */
export function noOverlay(): string | undefined {
  const folder = temporaryFolder()
  const script = overlay(folder.path, folder.path)
  const { status, stderr } = unshared(script)
  folder.remove()
  return status === 0 ? undefined : `This machine mounts no overlay: ${stderr.trim()}`
}

/** A path as the server sees it, for a test that reads its mounts. */
export function seenBy(pid: number, path: string): string {
  return `/proc/${pid}/root${path}`
}

/** @returns commands that mount an overlay; its upper layer is in memory */
export function overlay(lower: string, at: string): string {
  const options = `lowerdir='${lower}',upperdir=/mnt/upper,workdir=/mnt/work`
  return `mount -t tmpfs tmpfs /mnt && mkdir /mnt/upper /mnt/work && mount -t overlay -o ${options} overlay '${at}'`
}

function refusal(): string | undefined {
  const script = 'mount -t tmpfs tmpfs /mnt && mount --bind /mnt /mnt'
  const { status, stderr } = unshared(script)
  return status === 0 ? undefined : `This machine mounts nothing for a test: ${stderr.trim()}`
}

/** Runs a shell script in its own mount namespace. Playwright's runner, which is no Bun, calls it too. */
function unshared(script: string): { status: number | null; stderr: string } {
  const [program = '', ...args] = UNSHARE
  return spawnSync(program, [...args, 'sh', '-c', script], { encoding: 'utf8' })
}
