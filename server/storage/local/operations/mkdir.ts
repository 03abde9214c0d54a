/** Creates a folder and the missing folders above it. */
import { chmodSync, mkdirSync } from 'node:fs'
import { errnoOf, isUnsupported } from '#server/os/errno.ts'
import { O_FOLDER } from '#server/os/flags.ts'
import { markOf, type Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { childPath, ROOT, segmentsOf, type TreePath } from '#wire/paths.ts'
import { inheritedIn, RIGHTS } from '../attributes/inherited-access.ts'
import type { Changes } from '../changes/changes.ts'
import { untilMade } from '../changes/until-made.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import { MODE_BITS } from '../copy/copy-file.ts'
import { lstatAt, refusedName, type Slot, syncFolder } from '../handles/atomic.ts'
import { replacedByLink } from '../handles/faults.ts'
import { type OpenSlot, statSlot } from '../handles/resolve.ts'
import type { Volumes } from '../volumes/volumes.ts'

/** The parts of the storage that the creation of folders uses. */
export interface MakeFolderDeps {
  confined: ConfinedFolder
  volumes: Volumes
  changes: Changes
  /** Permission bits of new folders, also the set-group-id and sticky bits. */
  mode: number
  /** As of `MakeFolderOptions`. */
  accept: (() => void) | undefined
}

/** Whether there is a folder at a path that operations may use; false also if it cannot be opened. */
export function hasFolder(confined: ConfinedFolder, path: TreePath): boolean {
  if (path === ROOT) return true
  try {
    using _ = confined.openFolder(path)
    return true
  } catch {
    return false
  }
}

/** @throws as `Storage.mkdir`; system errors */
export async function makeFolders(path: TreePath, deps: MakeFolderDeps): Promise<void> {
  for (const folder of pathsDownTo(path)) {
    using slot = deps.confined.slot(folder, true)
    if (!statSlot(slot)) refuseLink(deps.confined, folder)
    await makeFolder(slot, deps)
  }
}

/** Refuses a folder at a link without a target: the folder would appear elsewhere. */
function refuseLink(confined: ConfinedFolder, path: TreePath): void {
  using slot = confined.slot(path)
  if (!statSlot(slot)) return
  throw new Fault('notDirectory', 'A link without a target already has this name.')
}

async function makeFolder(
  slot: OpenSlot,
  { volumes, changes, mode, accept }: MakeFolderDeps,
): Promise<void> {
  let isMade = false
  const look = () => {
    accept?.()
    if (!isFree(slot)) return undefined
    volumes.requireVisible(slot.parent, slot.pathWhenChecked)
    return { steps: changes.described(() => [changes.steps.makeFolderStep(slot)]) }
  }
  const act = ([step]: readonly Step[]) => {
    isMade = makeUnlessThere(slot, mode)
    if (!isMade) return changes.markUndone([step])
    const created = lstatAt(slot)
    if (step && created) step.after = markOf(created)
  }
  await untilMade(
    async (isLastTry) => !isFree(slot) || (await changes.tryMake({ look, act, isLastTry })),
  )
  if (!isMade) return
  setFinalMode(slot, mode)
  await syncFolder(slot.parent, volumes.flushes)
}

/**
 * @returns false if a folder has the name
 * @throws Fault notDirectory
 */
function isFree(slot: Slot): boolean {
  const existing = statSlot(slot)
  if (existing?.isDirectory()) return false
  // If links are followed, the slot is that of a link's target.
  if (existing?.isSymbolicLink()) throw replacedByLink()
  if (existing) throw fileHasName()
  return true
}

/**
 * @returns false if another program has made the folder
 * @throws Fault notDirectory; system errors
 */
function makeUnlessThere(slot: Slot, mode: number): boolean {
  try {
    mkdirSync(slot.parent.at(slot.name), mode)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw refusedName('mkdir', slot, error)
    if (errnoOf(error) !== 'EEXIST') throw error
    if (statSlot(slot)?.isDirectory()) return false
    throw fileHasName()
  }
}

function fileHasName(): Fault {
  return new Fault('notDirectory', 'A file already has this name.')
}

/**
 * Gives a new folder the configured mode, of which the umask has removed some bits. The group, the set-group-id bit and
 * an access list of the folder above stay; the list counts instead of the umask, as for mkdir(2).
 */
function setFinalMode(slot: Slot, mode: number): void {
  using folder = slot.parent.child(slot.name, O_FOLDER)
  const created = folder.stat().mode & MODE_BITS
  const rights = inheritedIn(slot.parent)?.list ? created : created | mode
  const wanted = rights | (mode & ~RIGHTS)
  if (wanted === created) return
  try {
    chmodSync(folder.disk, wanted)
  } catch (error) {
    // The file system has no modes, or only the one of the mount.
    if (errnoOf(error) !== 'EPERM' && !isUnsupported(error)) throw error
  }
}

/** @returns a path with all its ancestors below the root, outermost first: `/a`, `/a/b`, `/a/b/c` for `/a/b/c` */
function pathsDownTo(path: TreePath): TreePath[] {
  const paths: TreePath[] = []
  for (const name of segmentsOf(path)) paths.push(childPath(paths.at(-1) ?? ROOT, name))
  return paths
}
