/** Copies: the copy is staged on the file system of its destination and then published. */
import { readlinkSync, symlinkSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import type { LeftOutReason } from '#server/storage/node.ts'
import type { TransferOptions } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, parentPath, type TreePath } from '#wire/paths.ts'
import type { Changes } from '../changes/changes.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { nearestFolder } from '../confine/nearest-folder.ts'
import type { ServerFiles } from '../confine/server-files.ts'
import { copyTree, type OpenChild } from '../copy/copy-tree.ts'
import { copiesIn, ResumedCopy, removeCopy } from '../copy/resumed-copy.ts'
import type { OtherDisks } from '../devices/other-disks.ts'
import type { Slot } from '../handles/atomic.ts'
import { fileCalls } from '../handles/file-calls.ts'
import type { Handle } from '../handles/handle.ts'
import { belowRoot } from '../handles/node-of-stats.ts'
import { refuseTaken } from '../handles/rename-rules.ts'
import { statSlot } from '../handles/resolve.ts'
import { volumeOf } from '../mounts/mounts.ts'
import type { Volumes } from '../volumes/volumes.ts'
import { copySourceAt } from './folder-contents.ts'
import type { Mover } from './move.ts'
import type { LocalOptions, ServedFolder } from './served-folder.ts'

/** The parts of the storage that a copy uses. */
export interface CopyDeps {
  root: Handle
  options: LocalOptions
  disks: OtherDisks
  confined: ConfinedFolder
  volumes: Volumes
  mover: Mover
  changes: Changes
  serverFiles: ServerFiles
}

/**
 * Copies the object at `from`; a dangling link is copied as a link.
 *
 * @throws as `Storage.copy`; LeadsToOtherDisk; system errors
 */
export async function copyInside(
  { from, to, options }: { from: TreePath; to: TreePath; options: TransferOptions },
  deps: CopyDeps,
): Promise<void> {
  const { confined, volumes, mover, changes } = deps
  using link = confined.node(from).kind === 'danglingLink' ? confined.slot(from) : undefined
  using source = link ? undefined : confined.open(from)
  using target = confined.slot(to)
  const existing = statSlot(target)
  refuseTaken(source?.stat() ?? NO_FOLDER, existing, options.overwrite)
  using mergeTarget = existing?.isDirectory() ? target.parent.child(target.name, O_PATH) : undefined
  const { flushes } = volumes
  using volume = await volumes.use(mergeTarget ?? target.parent)
  const reserve = volumes.reserveOn(mergeTarget ?? target.parent)
  const { resumable } = options
  const openChild = childOpener(deps)
  const leftOut = (folder: Handle, name: string, reason: LeftOutReason) =>
    options.leftOut?.(childPath(confined.pathOf(folder), name), reason)
  if (source && resumable) {
    const pathOf = (file: Handle) => confined.pathOf(file)
    using resumed = new ResumedCopy(volume.folder, { resumable, pathOf, reserve })
    await copyTree(source, resumed.staged, openChild, {
      target,
      flushes,
      reserve,
      resumed,
      leftOut,
    })
    if (volumes.isHidden(source)) throw sourceRemoved()
    await mover.publish(resumed.staged, target, { ...options, changes })
    return await resumed.remove()
  }
  const staged = volume.folder.staged()
  try {
    if (source) {
      await copyTree(source, staged, openChild, { target, flushes, reserve, leftOut })
      if (volumes.isHidden(source)) throw sourceRemoved()
    } else if (link) {
      const text = readlinkSync(link.parent.at(link.name), { encoding: 'buffer' })
      symlinkSync(text, staged.parent.at(staged.name))
    }
    await mover.publish(staged, target, { ...options, changes })
  } finally {
    await fileCalls.rm(staged.parent.at(staged.name), { recursive: true, force: true })
  }
}

/** Opens the sources of a copy. If other threads touch the other file systems, no link is followed to one of them. */
function childOpener({ confined, serverFiles, root, options, disks }: CopyDeps): OpenChild {
  const beforeLink = ({ parent, name }: Slot) => {
    if (!options.leavesOtherDisks) return
    disks.refuseLinkElsewhere(belowRoot(root.realPath(), `${parent.realPath()}/${name}`))
  }
  return (folder, name) => copySourceAt(folder, name, { confined, serverFiles, beforeLink })
}

/** Replaces the stats of a source that is a dangling link: it is no folder. */
const NO_FOLDER = { isDirectory: () => false }

function sourceRemoved(): Fault {
  return new Fault(
    'conflict',
    'The files were removed or moved while they were copied. Try again.',
    { reason: 'changedMeanwhile' },
  )
}

/**
 * Whether source and destination are on one file system, so that a move is one rename.
 *
 * @param opened disposed of at the end
 * @throws Fault notFound, forbidden; system errors
 */
export function isSameVolume(opened: ConfinedFolder, from: TreePath, to: TreePath): boolean {
  using confined = opened
  using source = confined.slotToVacate(from)
  using target = nearestFolder(confined, parentPath(to))
  return volumeOf(source.parent) === volumeOf(target)
}

/**
 * Removes the partial result of a resumable copy from the destination's file system.
 *
 * @param opened disposed of at the end
 * @param copy its name, and the destination that it was to get
 */
export async function removeCopyFrom(
  opened: ConfinedFolder,
  volumes: Volumes,
  { name, to }: { name: string; to: TreePath },
): Promise<void> {
  using confined = opened
  // The copy was merged into the folder `to`, or was to get that name in its parent folder.
  for (const path of new Set([to, parentPath(to)])) {
    using folder = nearestFolder(confined, path)
    using volume = await volumes.use(folder)
    await removeCopy(volume.folder, name)
  }
}

/** @returns the names of all partial copies on the file system of the root */
export async function copiesOn({ volumes, root }: ServedFolder): Promise<string[]> {
  using volume = await volumes.use(root)
  return copiesIn(volume.folder)
}
