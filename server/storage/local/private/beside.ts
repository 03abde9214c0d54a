/**
 * Hides or removes files when the file system is too full for a private folder: a file gets a reserved name in the
 * folder that it is in.
 */
import { renameSync } from 'node:fs'
import { randomName } from '../attributes/own-folder.ts'
import { lstatAt, restoreName, type Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import { asideName, doomedName } from '../handles/private-name.ts'
import type { Aside } from './aside.ts'
import type { Records } from './volume-records.ts'

/** A name for an entry that is being removed. */
export interface Doomed extends Slot, Disposable {}

/** @returns a reserved name in `folder`. The caller disposes of the result when the object is removed. */
export function doomInFolder(folder: Handle, records: Records): Doomed {
  const name = doomedName(randomName())
  const path = `${folder.realPath()}/${name}`
  records.remember(path)
  return { parent: folder, name, [Symbol.dispose]: () => records.forget(path) }
}

/**
 * Hides an item by a rename within the folder that it is in; otherwise as `moveAside`.
 *
 * @throws system errors, such as ENOSPC if the record of the item cannot be written
 */
export function moveAsideInFolder(slot: Slot, records: Records): Aside {
  const { parent } = slot
  const name = asideName(randomName())
  const path = `${parent.realPath()}/${name}`
  records.rememberAside(path, slot.name)
  try {
    renameSync(parent.at(slot.name), parent.at(name))
  } catch (error) {
    records.forget(path)
    throw error
  }
  let doomed: Doomed | undefined
  return {
    parent,
    name,
    putBack: () => restoreName({ parent, name }, slot),
    doom() {
      doomed = doomInFolder(parent, records)
      renameSync(parent.at(name), parent.at(doomed.name))
      return doomed
    },
    [Symbol.dispose]() {
      doomed?.[Symbol.dispose]()
      // An item that could not be restored stays recorded until the next start.
      if (!lstatAt({ parent, name })) records.forget(path)
    },
  }
}
