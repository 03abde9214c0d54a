/**
 * What a full file system has no room for in a private folder lies beside its old name, under a reserved one,
 * until it is gone or back.
 */
import { renameSync } from 'node:fs'
import type { Aside } from './aside.ts'
import { putBack, type Staged } from './atomic.ts'
import type { Handle } from './handle.ts'
import { randomName } from './own-folder.ts'
import { asideName, goingName } from './private-name.ts'
import type { Records } from './volume-records.ts'

/** A place out of sight for something that is removed. */
export interface Doomed extends Staged, Disposable {}

/** A name in the folder of what is removed. The caller disposes of it when nothing has the name any more. */
export function doomedBeside(folder: Handle, records: Records): Doomed {
  const name = goingName(randomName())
  const where = `${folder.realPath()}/${name}`
  records.remember(where)
  return { parent: folder, name, [Symbol.dispose]: () => records.forget(where) }
}

/** `setAside` of aside.ts, in the folder of the thing itself. @throws system errors; ENOSPC of the root's */
export function asideBeside(slot: Staged, records: Records): Aside {
  const { parent } = slot
  const name = asideName(randomName())
  const where = `${parent.realPath()}/${name}`
  records.rememberAside(where, slot.name)
  try {
    renameSync(parent.at(slot.name), parent.at(name))
  } catch (error) {
    records.forget(where)
    throw error
  }
  let doomed: Doomed | undefined
  return {
    parent,
    name,
    putBack: () => putBack({ parent, name }, slot),
    doom() {
      doomed = doomedBeside(parent, records)
      renameSync(parent.at(name), parent.at(doomed.name))
      return doomed
    },
    [Symbol.dispose]() {
      doomed?.[Symbol.dispose]()
      // What could not be put back is tried again at the next start.
      if (!parent.names().includes(name)) records.forget(where)
    },
  }
}
