/** Removing: the name goes in one step, and comes back when the whole cannot go. */
import { promises, renameSync, unlinkSync } from 'node:fs'
import { syncFolder, takeName } from './atomic.ts'
import { nothingHere } from './local-jail.ts'
import { lookAt, type Place } from './local-resolve.ts'
import { isFull } from './own-folder.ts'
import { surveyForRemoval } from './survey.ts'
import type { Volumes } from './volumes.ts'

/**
 * Removes what stands at a place. A full disk is no hindrance: nothing new is made there.
 *
 * @throws Fault notFound, locked, forbidden, readOnly; system errors
 */
export async function removeAt(place: Place, volumes: Volumes): Promise<void> {
  const stats = lookAt(place)
  if (!stats) throw nothingHere()
  if (stats.isDirectory()) await surveyForRemoval(place)
  using doomed = await volumes.graveFor(place.parent)
  volumes.mustBeInSight(place.parent, place.where)
  if (stats.isDirectory()) volumes.mustNotBeMounted(place)
  try {
    renameSync(place.parent.at(place.name), doomed.parent.at(doomed.name))
  } catch (error) {
    // Not even a name fits in. A file goes in one step by itself.
    if (!isFull(error) || stats.isDirectory()) throw error
    unlinkSync(place.parent.at(place.name))
    return syncFolder(place.parent)
  }
  try {
    await syncFolder(place.parent)
    await promises.rm(doomed.parent.at(doomed.name), { recursive: true })
  } catch (error) {
    // What is left of it comes back under its name.
    takeName(doomed, place)
    throw error
  }
}
