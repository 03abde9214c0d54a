/**
 * Snapshots that a file system shows inside the tree: read-only copies of a folder as it was at a moment. A file is
 * looked up in the snapshots of each folder above it, under its present path. Links in snapshots are not followed.
 */
import { createHash } from 'node:crypto'
import { promises } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { O_FOLDER } from '#server/os/flags.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parsePath, segmentsOf, type TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { withFaults } from './faults.ts'
import type { Handle } from './handle.ts'
import { nodeOf } from './local-node.ts'
import { READ_FLAGS } from './local-resolve.ts'
import { clampRange, OpenFile } from './local-stream.ts'
import type { ByteRange, Node, Opened } from './node.ts'
import type { SnapshotFile, Snapshots } from './snapshot-file.ts'

/** Folders that hold the snapshots of their parent folder: of snapper and many NAS, of NetApp and Synology, of ZFS. */
const SNAPSHOT_FOLDERS = [['.snapshots'], ['#snapshot'], ['.zfs', 'snapshot']]
/** Samba and Windows show each snapshot of a folder as one of its subfolders, with this prefix. */
const SNAPSHOT_PREFIX = '@GMT-'
/** Snapper keeps the tree in a subfolder of this name. */
const SNAPPER_TREE = 'snapshot'
/** Of more snapshots of one folder only the last ones by name, usually the newest, are used. */
const SNAPSHOTS_MAX = 1000
/** The event loop gets a turn after so many names. */
const YIELD_EVERY = 64
/** An id must be an exact integer in JavaScript (53 bits). */
const ID_BYTES = 6

/** @param open opens the tree for one call */
export function snapshotsIn(open: () => ConfinedFolder): Snapshots {
  return {
    list: (path) => withFaults(() => listVersions(open, path)),
    read: (path, id, range) =>
      withFaults(async () => {
        for await (const candidate of candidates(open, path)) {
          if (candidate.id === id) return openVersion(candidate.file, path, range)
          candidate.file.close()
        }
        throw new Fault('notFound', 'There is no such version.')
      }),
  }
}

/** The file in one snapshot. */
interface Candidate {
  id: number
  name: string
  /** Opened for reading; the receiver closes it. */
  file: Handle
}

async function listVersions(open: () => ConfinedFolder, path: TreePath): Promise<SnapshotFile[]> {
  const seen = new Set<string>()
  {
    using confined = open()
    using present = confined.open(path)
    seen.add(contentKey(present))
  }
  const files: SnapshotFile[] = []
  for await (const { id, name, file } of candidates(open, path)) {
    using handle = file
    const key = contentKey(handle)
    if (seen.has(key)) continue
    seen.add(key)
    const { size, mtimeMs } = handle.stat()
    files.push({ id, name, sizeBytes: size, modifiedMs: Math.round(mtimeMs) })
  }
  return files.toSorted((a, b) => b.modifiedMs - a.modifiedMs)
}

/** @returns a text that is equal for files of the same size and time, which count as the same content */
function contentKey(handle: Handle): string {
  const { size, mtimeMs } = handle.stat()
  return `${size} ${Math.round(mtimeMs)}`
}

function openVersion(
  file: Handle,
  path: TreePath,
  range: ((node: Node) => ByteRange | undefined) | undefined,
): Opened {
  try {
    const node = nodeOf(path, file.stat())
    return new OpenFile(file, node, clampRange(range?.(node), node.sizeBytes))
  } catch (error) {
    file.close()
    throw error
  }
}

/** Yields the file of each snapshot that contains it. */
async function* candidates(open: () => ConfinedFolder, path: TreePath): AsyncGenerator<Candidate> {
  const segments = segmentsOf(path)
  let visited = 0
  for (let depth = 0; depth < segments.length; depth += 1) {
    using confined = open()
    using folder = confined.openFolder(parsePath(`/${segments.slice(0, depth).join('/')}`))
    const below = segments.slice(depth)
    for (const snapshotPath of await snapshotPathsIn(folder.handle)) {
      visited += 1
      if (visited % YIELD_EVERY === 0) await new Promise(setImmediate)
      const file =
        fileAt(folder.handle, [...snapshotPath, ...below]) ??
        fileAt(folder.handle, [...snapshotPath, SNAPPER_TREE, ...below])
      if (!file) continue
      yield {
        id: idOf(depth, snapshotPath),
        name: nameOf(parsePath(`/${snapshotPath.join('/')}`)),
        file,
      }
    }
  }
}

/** @returns the paths from a folder to each of its snapshots */
async function snapshotPathsIn(folder: Handle): Promise<string[][]> {
  // The folder itself may contain any number of names.
  const snapshotPaths = (await promises.readdir(folder.disk))
    .filter((name) => name.startsWith(SNAPSHOT_PREFIX))
    .map((name) => [name])
  for (const parent of SNAPSHOT_FOLDERS) {
    using snapshots = folderAt(folder, parent)
    for (const name of snapshots?.names() ?? []) snapshotPaths.push([...parent, name])
  }
  return snapshotPaths.toSorted().slice(-SNAPSHOTS_MAX)
}

/** @returns an open regular file, without following links; undefined otherwise */
function fileAt(folder: Handle, names: readonly string[]): Handle | undefined {
  using parent = folderAt(folder, names.slice(0, -1))
  const name = names.at(-1)
  if (!parent || name === undefined) return undefined
  const file = openOrUndefined(() => parent.child(name, READ_FLAGS))
  if (file?.stat().isFile()) return file
  file?.close()
  return undefined
}

function folderAt(root: Handle, names: readonly string[]): Handle | undefined {
  let folder: Handle | undefined = root.duplicate()
  for (const name of names) {
    if (!folder) return undefined
    using above: Handle = folder
    folder = openOrUndefined(() => above.child(name, O_FOLDER))
  }
  return folder
}

/** @returns undefined for a missing file, a link, or a file without read permission */
function openOrUndefined(open: () => Handle): Handle | undefined {
  try {
    return open()
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined
    throw error
  }
}

/** @returns a negative id that is the same at each call (ids of versions in the trash are positive) */
function idOf(depth: number, snapshotPath: readonly string[]): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([depth, snapshotPath]))
    .digest()
  return -1 - digest.readUIntBE(0, ID_BYTES)
}
