/** Copying a tree to a staged place. Works on handles, so nothing swapped meanwhile is followed. */
import {
  closeSync,
  constants,
  copyFile,
  fsyncSync,
  mkdirSync,
  openSync,
  promises,
  readdirSync,
  utimesSync,
} from 'node:fs'
import { promisify } from 'node:util'
import type { StagedPlace } from './atomic.ts'
import type { Handle } from './handle.ts'
import { READ_FLAGS } from './local-resolve.ts'
import { isPrivateName } from './private-folder.ts'

const copyBytes = promisify(copyFile)

/** Opens what `name` in `folder` stands for; undefined leaves it out. */
export type OpenChild = (folder: Handle, name: string) => Handle | undefined

/**
 * Copies `source`, a file or a folder, to `staged`, with permission bits and times, and forces the
 * bytes to the disk. `openChild` decides what comes along; a link never leads back into a folder that
 * is just being copied. Pipes, sockets and devices are left out.
 *
 * @throws system errors; what was copied until then stays for the caller to remove
 */
export async function copyTree(
  source: Handle,
  staged: StagedPlace,
  openChild: OpenChild,
): Promise<void> {
  await copyNode(source, staged.parent.at(staged.name), openChild, [])
}

async function copyNode(
  source: Handle,
  to: string,
  openChild: OpenChild,
  trail: string[],
): Promise<void> {
  const stats = source.stat()
  if (stats.isDirectory()) await copyFolder(source, to, openChild, trail)
  else if (stats.isFile()) await copyContent(source, to)
}

async function copyFolder(
  source: Handle,
  to: string,
  openChild: OpenChild,
  trail: string[],
): Promise<void> {
  const { dev, ino, mode, mtimeMs } = source.stat()
  const identity = `${dev}:${ino}`
  if (trail.includes(identity)) return
  mkdirSync(to, 0o700)
  for (const name of readdirSync(source.disk)) {
    if (isPrivateName(name, true)) continue
    using child = openChild(source, name)
    if (child) await copyNode(child, `${to}/${name}`, openChild, [...trail, identity])
  }
  await promises.chmod(to, mode & 0o7777)
  utimesSync(to, Date.now() / 1000, mtimeMs / 1000)
}

async function copyContent(source: Handle, to: string): Promise<void> {
  const { mode, mtimeMs } = source.stat()
  using readable = source.reopen(READ_FLAGS)
  await copyBytes(readable.disk, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  const fd = openSync(to, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  await promises.chmod(to, mode & 0o7777)
  utimesSync(to, Date.now() / 1000, mtimeMs / 1000)
}
