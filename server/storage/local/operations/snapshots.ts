/**
 * Snapshots that a file system shows inside the tree: read-only copies of a folder as it was at a moment. A file is
 * looked up in the snapshots of each folder above it, under its present path. Links in snapshots are not followed.
 *
 * A snapshot is on another file system or subvolume than the folder that shows it, so no folder that a user creates is
 * one. Its folders and files have the inode and the birth time of their originals. So a file that only has the name of
 * the present one, such as that of a former owner of the folder, is recognised (`isEarlierState`).
 */

import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { pacer } from '#server/lib/slices.ts'
import { errnoOf } from '#server/os/errno.ts'
import { O_FOLDER } from '#server/os/flags.ts'
import type { ByteRange, Node, Opened } from '#server/storage/node.ts'
import type { KnownSince, SnapshotFile, Snapshots } from '#server/storage/snapshot-file.ts'
import { clampTime } from '#wire/api/entry.ts'
import { Fault } from '#wire/fault.ts'
import { nameOf, parsePath, segmentsOf, type TreePath } from '#wire/paths.ts'
import { isSnapshotByTime } from '#wire/reserved-names.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { withFaults } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'
import { nodeOf } from '../handles/node-of-stats.ts'
import { clampRange, OpenFile } from '../handles/open-file.ts'
import { READ_FLAGS } from '../handles/resolve.ts'

/** Folders that hold the snapshots of their parent folder (wire/reserved-names.ts). */
const SNAPSHOT_FOLDERS = [
  ['.snapshots'],
  ['#snapshot'],
  ['.snapshot'],
  ['~snapshot'],
  ['.zfs', 'snapshot'],
]
/** Snapper keeps the tree in a subfolder of this name. */
const SNAPPER_TREE = 'snapshot'
/** Of more snapshots of one folder only the last ones by name, usually the newest, are used. */
const SNAPSHOTS_MAX = 1000
/** An id must be an exact integer in JavaScript (53 bits). */
const ID_BYTES = 6

/** @param open opens the tree for one call */
export function snapshotsIn(open: () => ConfinedFolder): Snapshots {
  return {
    list: (path, known) => withFaults(() => listVersions(open, path, known)),
    read: (path, id, known, range) =>
      withFaults(async () => {
        for await (const candidate of candidates(open, path, known)) {
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

async function listVersions(
  open: () => ConfinedFolder,
  path: TreePath,
  known: KnownSince,
): Promise<SnapshotFile[]> {
  const seen = new Set<string>()
  {
    using confined = open()
    using present = confined.open(path)
    seen.add(contentKey(present))
  }
  const files: SnapshotFile[] = []
  for await (const { id, name, file } of candidates(open, path, known)) {
    using handle = file
    const key = contentKey(handle)
    if (seen.has(key)) continue
    seen.add(key)
    const { size, mtimeMs } = handle.stat()
    files.push({ id, name, sizeBytes: size, modifiedMs: Math.round(clampTime(mtimeMs)) })
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

/** Yields the file of each snapshot that contains an earlier state of it. */
async function* candidates(
  open: () => ConfinedFolder,
  path: TreePath,
  known: KnownSince,
): AsyncGenerator<Candidate> {
  const segments = segmentsOf(path)
  const present = presentLineage(open, segments)
  const pace = pacer()
  for (let depth = 0; depth < segments.length; depth += 1) {
    using confined = open()
    using folder = confined.openFolder(parsePath(`/${segments.slice(0, depth).join('/')}`))
    const below = segments.slice(depth)
    for (const snapshotPath of await snapshotPathsIn(folder.handle)) {
      await pace()
      const found =
        fileAt(folder.handle, snapshotPath, below) ??
        fileAt(folder.handle, [...snapshotPath, SNAPPER_TREE], below)
      if (!found) continue
      const { file, lineage } = found
      const isSnapshot = file.dev !== folder.handle.dev
      if (!isSnapshot || !isEarlierState(lineage, present.slice(depth), known)) {
        file.close()
        continue
      }
      yield {
        id: idOf(depth, snapshotPath),
        name: nameOf(parsePath(`/${snapshotPath.join('/')}`)),
        file,
      }
    }
  }
}

/** The folders from one with snapshots down to a file, and the file. */
type Lineage = readonly Pick<Stats, 'ino' | 'birthtimeMs'>[]

function presentLineage(open: () => ConfinedFolder, segments: readonly string[]): Lineage {
  using confined = open()
  return [...segments.keys(), segments.length].map((depth) => {
    using object = confined.open(parsePath(`/${segments.slice(0, depth).join('/')}`))
    return object.stat()
  })
}

/**
 * Whether a file in a snapshot is an earlier state of the present file, and not another one that had its path: all
 * folders are the same ones, and the file is the same one or is younger than the present one is known to be. A program
 * that saves makes a new file, so only comparing the files would leave out most versions. Birth times cannot be set by
 * any program.
 */
function isEarlierState(then: Lineage, now: Lineage, known: KnownSince): boolean {
  if (known === 'any') return true
  const [fileThen, fileNow] = [then.at(-1), now.at(-1)]
  if (!fileThen || !fileNow) return false
  const areFoldersSame = now.slice(0, -1).every((folder, index) => isSame(folder, then[index]))
  if (!areFoldersSame) return false
  const sinceMs = Math.min(fileNow.birthtimeMs, known ?? fileNow.birthtimeMs)
  // 0: the file system does not tell birth times.
  const isYounger = fileNow.birthtimeMs > 0 && fileThen.birthtimeMs >= sinceMs
  return isSame(fileNow, fileThen) || isYounger
}

function isSame(one: Lineage[number], other: Lineage[number] | undefined): boolean {
  return one.ino === other?.ino && one.birthtimeMs === other.birthtimeMs
}

/** @returns the paths from a folder to each of its snapshots */
async function snapshotPathsIn(folder: Handle): Promise<string[][]> {
  // The folder itself may contain any number of names.
  const snapshotPaths = (await fileCalls.readdir(folder.disk))
    .filter(isSnapshotByTime)
    .map((name) => [name])
  for (const parent of SNAPSHOT_FOLDERS) {
    using snapshots = folderAt(folder, parent)
    for (const name of snapshots?.names() ?? []) snapshotPaths.push([...parent, name])
  }
  return snapshotPaths.toSorted().slice(-SNAPSHOTS_MAX)
}

/** @returns an open regular file below a snapshot, without following links; undefined otherwise */
function fileAt(
  folder: Handle,
  snapshot: readonly string[],
  below: readonly string[],
): { file: Handle; lineage: Lineage } | undefined {
  const lineage: Stats[] = []
  let parent = folderAt(folder, snapshot)
  for (const name of below.slice(0, -1)) {
    if (!parent) return undefined
    using above: Handle = parent
    lineage.push(above.stat())
    parent = openOrUndefined(() => above.child(name, O_FOLDER))
  }
  if (!parent) return undefined
  using last: Handle = parent
  lineage.push(last.stat())
  const file = openOrUndefined(() => last.child(below.at(-1) ?? '', READ_FLAGS))
  if (!file) return undefined
  const stats = file.stat()
  if (stats.isFile()) return { file, lineage: [...lineage, stats] }
  file.close()
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
