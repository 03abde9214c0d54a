/**
 * File systems in user space: exFAT, a folder through sshfs, and a folder through rclone. They have whole seconds, other
 * rules for names, or no hard links. They are mounted only for the server of a test, which is skipped if the programs are
 * missing.
 */
import { chmodSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../files/tree.ts'
import { inMounts, withMounts } from './mounts.ts'

export type FuseKind = 'exfat' | 'sshfs' | 'uncachedSshfs' | 'rclone'

const SFTP_SERVERS = ['/usr/lib/openssh/sftp-server', '/usr/lib/ssh/sftp-server']
const EXFAT_BYTES = 64 * 2 ** 20
const TRIES = Array.from({ length: 50 }, (_, number) => number).join(' ')
const QUIET = '</dev/null >/dev/null 2>&1'

const PROGRAMS: Record<FuseKind, string[]> = {
  exfat: ['mkfs.exfat', 'mount.exfat-fuse', 'losetup'],
  sshfs: ['sshfs'],
  uncachedSshfs: ['sshfs'],
  rclone: ['rclone'],
}

/** Why this machine cannot mount such a file system; undefined if it can. */
export function noFuse(kind: FuseKind): string | undefined {
  if (process.getuid?.() !== 0) return `Only root mounts ${kind} for a test.`
  const missing = PROGRAMS[kind].filter((program) => !Bun.which(program))
  if (kind !== 'exfat' && kind !== 'rclone' && !sftpServer()) missing.push('sftp-server')
  if (missing.length > 0) return `No ${kind} for a test: ${missing.join(', ')} not installed.`
  const folder = temporaryFolder()
  const root = join(folder.path, 'root')
  mkdirSync(root)
  const { success } = Bun.spawnSync([...inMounts(root, [], mounting(kind, root)), 'umount', root])
  folder.remove()
  return success ? undefined : `This machine does not mount ${kind}.`
}

/**
 * @returns the program for `startServer`: filemgr with a root that is such a file system. Two servers with the same root
 *   share its content through mounts of their own.
 */
export function withFuse(kind: FuseKind, root: string): [string, ...string[]] {
  return withMounts(root, [], mounting(kind, root))
}

/**
 * @param beside the path of its content, which is created
 * @returns shell commands that mount the file system
 */
export function mounting(kind: FuseKind, at: string, beside = `${at}-${kind}`): string[] {
  return [...COMMANDS[kind](beside, at), `mountpoint -q '${at}'`]
}

const COMMANDS: Record<FuseKind, (beside: string, at: string) => string[]> = {
  exfat(image, at) {
    writeFileSync(image, '')
    truncateSync(image, EXFAT_BYTES)
    return [
      `mkfs.exfat '${image}' ${QUIET}`,
      // The device of an earlier test may still be in use for a moment.
      `for try in ${TRIES}; do device=$(losetup --find --show '${image}') && break; sleep 0.1; done`,
      `(mount.exfat-fuse -o nonempty $device '${at}' ${QUIET}; losetup --detach $device)`,
    ]
  },
  sshfs: (remote, at) => sshfs(remote, at),
  // A change on the other side is seen at once, and not after 20 seconds.
  uncachedSshfs: (remote, at) => sshfs(remote, at, '-o dir_cache=no'),
  rclone(remote, at) {
    mkdirSync(remote)
    const options = `--config /dev/null --daemon --vfs-cache-mode writes --cache-dir '${remote}-cache'`
    return [`rclone mount '${remote}' '${at}' ${options} ${QUIET}`]
  },
}

function sshfs(remote: string, at: string, options = ''): string[] {
  const connect = `${remote}-connect`
  mkdirSync(remote, { recursive: true })
  writeFileSync(connect, `#!/bin/sh\nexec ${sftpServer()}\n`)
  chmodSync(connect, 0o755)
  return [`sshfs ${options} -o ssh_command='${connect}' 'test:${remote}' '${at}' ${QUIET}`]
}

function sftpServer(): string | undefined {
  return SFTP_SERVERS.find((path) => existsSync(path))
}
