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
export interface Grave extends Staged, Disposable {}

/** A name in the folder of what is removed. The caller disposes of it when nothing has the name any more. */
export function graveBeside(folder: Handle, records: Records): Grave {
  const name = goingName(randomName())
  const where = `${folder.realPath()}/${name}`
  records.remember(where)
  return { parent: folder, name, [Symbol.dispose]: () => records.forget(where) }
}

/** `setAside` of aside.ts, in the folder of the thing itself. @throws system errors; ENOSPC of the root's */
export function asideBeside(place: Staged, records: Records): Aside {
  const { parent } = place
  const name = asideName(randomName())
  const where = `${parent.realPath()}/${name}`
  records.rememberAside(where, place.name)
  try {
    renameSync(parent.at(place.name), parent.at(name))
  } catch (error) {
    records.forget(where)
    throw error
  }
  let grave: Grave | undefined
  return {
    parent,
    name,
    putBack: () => putBack({ parent, name }, place),
    doom() {
      grave = graveBeside(parent, records)
      renameSync(parent.at(name), parent.at(grave.name))
      return grave
    },
    [Symbol.dispose]() {
      grave?.[Symbol.dispose]()
      // What could not be put back is tried again at the next start.
      if (!parent.names().includes(name)) records.forget(where)
    },
  }
}
