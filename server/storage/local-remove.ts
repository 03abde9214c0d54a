/** Removing: the name goes in one step, and comes back when the whole cannot go. */
import { promises, renameSync, unlinkSync } from 'node:fs'
import { syncFolder, takeName } from './atomic.ts'
import { notFound } from './confined-folder.ts'
import { type Slot, statSlot } from './local-resolve.ts'
import { isFull } from './own-folder.ts'
import { surveyForRemoval } from './survey.ts'
import type { Volumes } from './volumes.ts'

/**
 * Removes what stands at a place. A full disk is no hindrance: nothing new is made there.
 *
 * @throws Fault notFound, locked, forbidden, readOnly; system errors
 */
export async function removeAt(slot: Slot, volumes: Volumes): Promise<void> {
  const stats = statSlot(slot)
  if (!stats) throw notFound()
  if (stats.isDirectory()) await surveyForRemoval(slot)
  using doomed = await volumes.doomedFor(slot.parent)
  volumes.mustBeVisible(slot.parent, slot.where)
  if (stats.isDirectory()) volumes.mustNotBeMounted(slot)
  try {
    renameSync(slot.parent.at(slot.name), doomed.parent.at(doomed.name))
  } catch (error) {
    // Not even a name fits in. A file goes in one step by itself.
    if (!isFull(error) || stats.isDirectory()) throw error
    unlinkSync(slot.parent.at(slot.name))
    return syncFolder(slot.parent)
  }
  try {
    await syncFolder(slot.parent)
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true })
  } catch (error) {
    // What is left of it comes back under its name.
    takeName(doomed, slot)
    throw error
  }
}
