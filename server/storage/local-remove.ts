/** Removing: the name goes in one step, and comes back when the whole cannot go. */
import { promises, renameSync, unlinkSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import { statsAt, syncFolder, takeName } from './atomic.ts'
import type { Changes } from './changes.ts'
import { FOLDER_FLAGS, type Slot } from './local-resolve.ts'
import { isFull } from './own-folder.ts'
import { notFound } from './refusals.ts'
import type { RemoveOptions } from './storage.ts'
import { surveyForRemoval, surveyForTrash } from './survey.ts'
import type { Volumes } from './volumes.ts'

/**
 * Removes what stands at a place: into the trash where it is kept, else for ever. A full disk is no hindrance:
 * nothing new is made there.
 *
 * @throws Fault notFound, locked, forbidden, readOnly, conflict (not empty), precondition; system errors
 */
export async function removeAt(
  slot: Slot,
  volumes: Volumes,
  changes: Changes,
  { onlyEmpty = false }: RemoveOptions = {},
): Promise<void> {
  const stats = statsAt(slot)
  if (!stats) throw notFound()
  if (onlyEmpty && stats.isDirectory()) mustBeEmpty(slot)
  if (changes.keeps(slot.parent)) {
    if (stats.isDirectory()) await surveyForTrash(slot)
    mustBeRemovable(slot, volumes)
    const step = changes.remove(slot, statsAt(slot) ?? stats, true)
    if (changes.take(step, slot)) {
      await syncFolder(slot.parent, volumes.flushes)
      return changes.sync()
    }
    changes.undone([step])
  }
  if (stats.isDirectory()) await surveyForRemoval(slot)
  using doomed = await volumes.doomedFor(slot.parent)
  mustBeRemovable(slot, volumes)
  changes.remove(slot, statsAt(slot) ?? stats, false)
  try {
    renameSync(slot.parent.at(slot.name), doomed.parent.at(doomed.name))
  } catch (error) {
    // Not even a name fits in. A file goes in one step by itself.
    if (!isFull(error) || stats.isDirectory()) throw error
    unlinkSync(slot.parent.at(slot.name))
    return syncFolder(slot.parent, volumes.flushes)
  }
  try {
    await syncFolder(slot.parent, volumes.flushes)
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true })
  } catch (error) {
    // What is left of it comes back under its name.
    takeName(doomed, slot)
    throw error
  }
}

/** @throws Fault notFound, locked */
function mustBeRemovable(slot: Slot, volumes: Volumes): void {
  volumes.mustBeVisible(slot.parent, slot.where)
  if (statsAt(slot)?.isDirectory()) volumes.mustNotBeMounted(slot)
}

/** @throws Fault conflict */
function mustBeEmpty(slot: Slot): void {
  using folder = slot.parent.child(slot.name, FOLDER_FLAGS)
  if (folder.names().length > 0) throw new Fault('conflict', 'The folder is not empty.')
}
