/** Removals: the name disappears in one step, and is restored if the tree cannot be removed completely. */
import { promises, renameSync, unlinkSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { lstatAt, renameToFree, syncFolder } from './atomic.ts'
import type { Changes } from './changes.ts'
import { FOLDER_FLAGS, type Slot } from './local-resolve.ts'
import { isFull } from './own-folder.ts'
import { notFound } from './refusals.ts'
import type { RemoveOptions } from './storage.ts'
import { surveyForRemoval, surveyForTrash } from './survey.ts'
import type { Volumes } from './volumes.ts'

/**
 * Removes the object at a slot: into the trash if it is kept, otherwise for ever. It also works on a full disk, since
 * it creates nothing there.
 *
 * @throws Fault notFound, locked, forbidden, readOnly, conflict (not empty), precondition; system errors
 */
export async function removeSlot(
  slot: Slot,
  volumes: Volumes,
  changes: Changes,
  { onlyEmpty = false }: RemoveOptions = {},
): Promise<void> {
  const stats = lstatAt(slot)
  if (!stats) throw notFound()
  if (onlyEmpty && stats.isDirectory()) requireEmpty(slot)
  if (changes.keeps(slot.parent)) {
    if (stats.isDirectory()) await surveyForTrash(slot)
    requireRemovable(slot, volumes)
    const step = changes.remove(slot, lstatAt(slot) ?? stats, true)
    if (changes.moveToTrash(step, slot)) {
      await syncFolder(slot.parent, volumes.flushes)
      return changes.sync()
    }
    changes.markUndone([step])
  }
  if (stats.isDirectory()) await surveyForRemoval(slot)
  using doomed = await volumes.doomedFor(slot.parent)
  requireRemovable(slot, volumes)
  changes.remove(slot, lstatAt(slot) ?? stats, false)
  try {
    renameSync(slot.parent.at(slot.name), doomed.parent.at(doomed.name))
  } catch (error) {
    // There is no room for even a name. A file can be unlinked directly.
    if (!isFull(error) || stats.isDirectory()) throw error
    unlinkSync(slot.parent.at(slot.name))
    return syncFolder(slot.parent, volumes.flushes)
  }
  try {
    await syncFolder(slot.parent, volumes.flushes)
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true })
  } catch (error) {
    // The rest of the tree gets its name back.
    renameToFree(doomed, slot)
    throw error
  }
}

/** @throws Fault notFound, locked */
function requireRemovable(slot: Slot, volumes: Volumes): void {
  volumes.requireVisible(slot.parent, slot.where)
  if (lstatAt(slot)?.isDirectory()) volumes.requireNotMounted(slot)
}

/** @throws Fault conflict */
function requireEmpty(slot: Slot): void {
  using folder = slot.parent.child(slot.name, FOLDER_FLAGS)
  if (folder.names().length > 0) throw new Fault('conflict', 'The folder is not empty.')
}
