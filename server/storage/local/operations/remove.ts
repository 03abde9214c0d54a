/** Removes files and folders: the name disappears in one step, and returns if the tree cannot be removed completely. */
import { renameSync, unlinkSync } from 'node:fs'
import { notKept } from '#server/lib/common-faults.ts'
import { errnoOf } from '#server/os/errno.ts'
import type { Step } from '#server/storage/step.ts'
import type { RemoveOptions } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { isFull } from '../attributes/own-folder.ts'
import type { Changes } from '../changes/changes.ts'
import { relocate, requireUnchanged } from '../copy/relocate.ts'
import { surveyForRemoval, surveyForTrash } from '../copy/survey.ts'
import { lstatAt, renameToFree, syncFolder } from '../handles/atomic.ts'
import { notFound } from '../handles/faults.ts'
import { fileCalls } from '../handles/file-calls.ts'
import { FOLDER_FLAGS, type OpenSlot } from '../handles/resolve.ts'
import type { Volumes } from '../volumes/volumes.ts'

/**
 * Moves the object at a slot to the trash if it is kept; otherwise removes it permanently. Works also on a full disk,
 * since it needs no space.
 *
 * @throws Fault notFound, locked (a mount in it), forbidden, readOnly, conflict (not empty, with `onlyEmpty`; not kept,
 *   with `onlyToTrash`), precondition (it does not have the expected mark); system errors
 */
export async function removeSlot(
  slot: OpenSlot,
  volumes: Volumes,
  changes: Changes,
  { onlyEmpty = false, onlyToTrash = false }: RemoveOptions = {},
): Promise<void> {
  const stats = lstatAt(slot)
  if (!stats) throw notFound()
  if (onlyEmpty && stats.isDirectory()) requireEmpty(slot)
  if (changes.keeps(slot.parent)) {
    if (stats.isDirectory()) await surveyForTrash(slot)
    requireStillRemovable(slot, volumes)
    const step = changes.remove(slot, lstatAt(slot) ?? stats, true)
    if (await moveToTrash(step, slot, volumes, changes)) {
      await syncFolder(slot.parent, volumes.flushes)
      return changes.sync()
    }
  }
  if (onlyToTrash) throw notKept()
  if (stats.isDirectory()) await surveyForRemoval(slot)
  using doomedTree = await volumes.doomedFor(slot.parent)
  requireStillRemovable(slot, volumes)
  changes.remove(slot, lstatAt(slot) ?? stats, false)
  try {
    renameSync(slot.parent.at(slot.name), doomedTree.parent.at(doomedTree.name))
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') {
      await fileCalls.rm(slot.parent.at(slot.name), { recursive: true })
      return syncFolder(slot.parent, volumes.flushes)
    }
    // The disk has no room for another name. A file can be unlinked directly.
    if (!isFull(error) || stats.isDirectory()) throw error
    unlinkSync(slot.parent.at(slot.name))
    return syncFolder(slot.parent, volumes.flushes)
  }
  try {
    await syncFolder(slot.parent, volumes.flushes)
    await fileCalls.rm(doomedTree.parent.at(doomedTree.name), { recursive: true })
  } catch (error) {
    // What is left of the tree gets its name again.
    renameToFree(doomedTree, slot)
    throw error
  }
}

/**
 * Moves an entry whose removal is recorded to the trash; otherwise marks the step as undone.
 *
 * @returns false if the trash has no room
 * @throws Fault conflict (the entry was changed while it was copied), and as `removeSlot`
 */
async function moveToTrash(
  step: Step | undefined,
  slot: OpenSlot,
  volumes: Volumes,
  changes: Changes,
): Promise<boolean> {
  try {
    if (changes.moveToTrash(step, slot)) return true
    changes.markUndone([step])
    return false
  } catch (error) {
    changes.markUndone([step])
    if (errnoOf(error) !== 'EXDEV') throw error
    return copyToTrash(slot, volumes, changes)
  }
}

/**
 * Keeps a copy of an entry in the trash, and then removes the entry: for file systems that cannot rename it, as
 * overlayfs cannot rename a folder of a lower layer.
 *
 * @returns false if there is no room for the copy
 */
async function copyToTrash(slot: OpenSlot, volumes: Volumes, changes: Changes): Promise<boolean> {
  using volume = await volumes.use(slot.parent)
  const staged = volume.folder.staged()
  try {
    const copied = await relocate(slot, staged, volumes.flushes)
    await requireUnchanged(slot, copied)
    requireStillRemovable(slot, volumes)
    const stats = lstatAt(slot)
    if (!stats) throw notFound()
    const step = changes.remove(slot, stats, true)
    if (!changes.moveToTrash(step, staged)) {
      changes.markUndone([step])
      return false
    }
  } catch (error) {
    if (!isFull(error)) throw error
    return false
  } finally {
    await fileCalls.rm(staged.parent.at(staged.name), { recursive: true, force: true })
  }
  // Nothing is removed before its copy is on the disk.
  await changes.sync()
  await fileCalls.rm(slot.parent.at(slot.name), { recursive: true })
  return true
}

/** @throws Fault notFound (the parent folder was moved or removed), locked (the folder is also mounted elsewhere) */
function requireStillRemovable(slot: OpenSlot, volumes: Volumes): void {
  volumes.requireVisible(slot.parent, slot.pathWhenChecked)
  if (lstatAt(slot)?.isDirectory()) volumes.requireNotMounted(slot)
}

/** @throws Fault conflict */
function requireEmpty(slot: OpenSlot): void {
  using folder = slot.parent.child(slot.name, FOLDER_FLAGS)
  if (folder.names().length > 0)
    throw new Fault('conflict', 'The folder is not empty.', { reason: 'folderNotEmpty' })
}
