/** Removes files and folders: the name disappears in one step, and returns if the tree cannot be removed completely. */
import { type BigIntStats, renameSync, unlinkSync } from 'node:fs'
import { notKept } from '#server/lib/common-faults.ts'
import { errnoOf } from '#server/os/errno.ts'
import { markOf } from '#server/storage/step.ts'
import type { RemoveOptions } from '#server/storage/storage.ts'
import { Fault } from '#wire/fault.ts'
import { isFull } from '../attributes/own-folder.ts'
import type { Changes, Look } from '../changes/changes.ts'
import { untilMade } from '../changes/until-made.ts'
import { relocate, requireUnchanged } from '../copy/relocate.ts'
import { surveyForRemoval, surveyForTrash } from '../copy/survey.ts'
import { lstatAt, renameToFree, type Slot, syncFolder } from '../handles/atomic.ts'
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
export function removeSlot(
  slot: OpenSlot,
  volumes: Volumes,
  changes: Changes,
  options: RemoveOptions = {},
): Promise<void> {
  return untilMade((isLastTry) => {
    const look = () => {
      options.accept?.()
      requireStillRemovable(slot, volumes)
      const stats = lstatAt(slot)
      if (!stats) throw notFound()
      if (options.onlyEmpty && stats.isDirectory()) requireEmpty(slot)
      changes.requireExpected(stats)
      return stats
    }
    return tryRemove({ slot, volumes, changes, look, isLastTry }, options)
  })
}

interface Removal {
  slot: OpenSlot
  volumes: Volumes
  changes: Changes
  /** The object at the slot; throws what refuses the removal. */
  look(): BigIntStats
  isLastTry: boolean
}

/** @returns false if another object is at the slot now, so that the removal is to be tried again */
async function tryRemove(removal: Removal, { onlyToTrash = false }: RemoveOptions) {
  const { slot, volumes, changes, look } = removal
  const stats = lstatAt(slot)
  if (!stats) throw notFound()
  const isFolder = stats.isDirectory()
  /** A folder was checked before it is removed, so it must be the same. */
  const lookAgain = () => {
    const present = look()
    const isChecked = !present.isDirectory() || markOf(present) === markOf(stats)
    return isChecked ? present : undefined
  }
  if (changes.keeps(slot.parent)) {
    if (isFolder) await surveyForTrash(slot)
    const moved = await moveToTrash({ ...removal, lookAgain })
    if (moved === 'changed') return false
    if (moved === 'kept') {
      await syncFolder(slot.parent, volumes.flushes)
      await changes.sync()
      return true
    }
  }
  if (onlyToTrash) throw notKept()
  if (isFolder) await surveyForRemoval(slot)
  return removePermanently({ ...removal, lookAgain })
}

type CheckedRemoval = Removal & { lookAgain(): BigIntStats | undefined }

/** @returns as `tryRemove` */
async function removePermanently(removal: CheckedRemoval): Promise<boolean> {
  const { slot, volumes, changes, lookAgain, isLastTry } = removal
  using doomedTree = await volumes.doomedFor(slot.parent)
  let isDoomed = false
  const look = () => {
    const stats = lookAgain()
    if (!stats) return undefined
    const steps = () => [{ ...changes.steps.removeStep(slot, stats, 'trash'), kept: '' }]
    return { steps: changes.described(steps), stats }
  }
  const act = async (_: unknown, { stats }: { stats: BigIntStats }) => {
    try {
      renameSync(slot.parent.at(slot.name), doomedTree.parent.at(doomedTree.name))
      isDoomed = true
    } catch (error) {
      if (errnoOf(error) === 'EXDEV')
        return fileCalls.rm(slot.parent.at(slot.name), { recursive: true })
      // The disk has no room for another name. A file can be unlinked directly.
      if (!isFull(error) || stats.isDirectory()) throw error
      unlinkSync(slot.parent.at(slot.name))
    }
  }
  if (!(await changes.tryMake<Look & { stats: BigIntStats }>({ look, act, isLastTry })))
    return false
  try {
    await syncFolder(slot.parent, volumes.flushes)
    if (isDoomed) await fileCalls.rm(doomedTree.parent.at(doomedTree.name), { recursive: true })
  } catch (error) {
    // What is left of the tree gets its name again.
    if (isDoomed) renameToFree(doomedTree, slot)
    throw error
  }
  return true
}

/** What has become of an entry that is to be moved to the trash; `changed`: it is another one now. */
type Moved = 'kept' | 'noRoom' | 'changed'

/** @throws Fault conflict (the entry was changed while it was copied), and as `removeSlot` */
async function moveToTrash(removal: CheckedRemoval): Promise<Moved> {
  const { slot } = removal
  try {
    return await moveRecorded(removal, slot)
  } catch (error) {
    if (errnoOf(error) !== 'EXDEV') throw error
    return copyToTrash(removal)
  }
}

/**
 * Keeps a copy of an entry in the trash, and then removes the entry: for file systems that cannot rename it, as
 * overlayfs cannot rename a folder of a lower layer.
 */
async function copyToTrash(removal: CheckedRemoval): Promise<Moved> {
  const { slot, volumes, changes } = removal
  using volume = await volumes.use(slot.parent)
  const staged = volume.folder.staged()
  try {
    const copied = await relocate(slot, staged, volumes.flushes)
    const moved = await moveRecorded(removal, staged, () => requireUnchanged(slot, copied))
    if (moved !== 'kept') return moved
  } catch (error) {
    if (!isFull(error)) throw error
    return 'noRoom'
  } finally {
    await fileCalls.rm(staged.parent.at(staged.name), { recursive: true, force: true })
  }
  // Nothing is removed before its copy is on the disk.
  await changes.sync()
  await fileCalls.rm(slot.parent.at(slot.name), { recursive: true })
  return 'kept'
}

/**
 * Records a removal, and moves `content` to the trash: the entry, or a copy of it.
 *
 * @param confirm as of `NameChange`
 */
async function moveRecorded(
  { slot, changes, lookAgain, isLastTry }: CheckedRemoval,
  content: Slot,
  confirm?: () => Promise<void>,
): Promise<Moved> {
  const outcome: { moved: Moved } = { moved: 'changed' }
  await changes.tryMake({
    isLastTry,
    confirm,
    look: () => {
      const stats = lookAgain()
      return stats && { steps: [changes.steps.removeStep(slot, stats, 'trash')] }
    },
    act: ([step]) => {
      outcome.moved = changes.moveToTrash(step, content) ? 'kept' : 'noRoom'
      if (outcome.moved === 'noRoom') changes.markUndone([step])
    },
  })
  return outcome.moved
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
