/**
 * Snapshots of a file system as Btrfs, ZFS and NAS show them: read-only copies with the same inodes and birth times, on
 * another device. Here they are copies of the image of an ext4 file system, mounted inside it.
 */
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { filemgr } from '../server/executable.ts'
import { inMounts, noMounts } from './mounts.ts'

const MAKE_IMAGE = 'mkfs.ext4 -q -m 0 -b 1024 -I 256 -O ^has_journal -F'
const IMAGE_SIZE = '8M'

/** Why this machine cannot make such snapshots; undefined if it can. */
export const noSnapshots = refusal()

/** The program for `startServer`: filemgr with a served folder, `root` in `folder`, that is a file system of its own. */
export function onOwnDisk(folder: string): [string, ...string[]] {
  const [program, ...args] = inMounts(folder, [], mountCommands(folder))
  return [program, ...args, ...filemgr()]
}

/**
 * Takes a snapshot of the whole served folder, and mounts it for the server only.
 *
 * @param at where it appears, as a path from the served folder
 */
export function takeSnapshot(pid: number, folder: string, at: string): void {
  const root = join(folder, 'root')
  const copy = join(folder, `snapshot-${crypto.randomUUID()}`)
  const script = [
    `mkdir -p '${join(root, at)}'`,
    `fsfreeze --freeze '${root}'`,
    `cp '${imageIn(folder)}' '${copy}'; fsfreeze --unfreeze '${root}'`,
    `mount -o loop,ro '${copy}' '${join(root, at)}'`,
  ].join(' && ')
  const run = Bun.spawnSync(['nsenter', `--target=${pid}`, '--mount', 'sh', '-c', script])
  if (!run.success) throw new Error(`No snapshot: ${run.stderr}`)
}

function mountCommands(folder: string): string[] {
  const [root, image] = [join(folder, 'root'), imageIn(folder)]
  return [
    `truncate -s ${IMAGE_SIZE} '${image}'`,
    `${MAKE_IMAGE} '${image}'`,
    `mkdir -p '${root}'`,
    `mount -o loop '${image}' '${root}'`,
  ]
}

function imageIn(folder: string): string {
  return join(folder, 'disk.img')
}

function refusal(): string | undefined {
  if (noMounts) return noMounts
  if (process.getuid?.() !== 0) return 'Only root can mount images for a test.'
  const folder = temporaryFolder()
  const freeze = `fsfreeze --freeze '${folder.path}/root' && fsfreeze --unfreeze '${folder.path}/root'`
  const [program, ...args] = inMounts(folder.path, [], [...mountCommands(folder.path), freeze])
  const run = Bun.spawnSync([program, ...args, 'true'])
  folder.remove()
  return run.success ? undefined : `This machine mounts no image for a test: ${run.stderr}`
}
