/**
 * Things that are out of sight while they are moved to another file system. Whatever happens to the
 * process, they are found again at their places.
 */
import { constants, renameSync, rmSync } from 'node:fs'
import { putBack, type Staged } from './atomic.ts'
import type { Handle } from './handle.ts'
import { filledFolder, randomName, readRecord, writeRecord } from './own-folder.ts'
import { isPrivateName } from './private-name.ts'

/** In the folder of a process: a thing that must come back when the process ends without it. */
const ASIDE_PREFIX = 'aside-'
const THING = 'thing'
const ORIGIN = 'origin'

/** Something that is out of sight, and back at its place if this process ends without it. */
export interface Aside extends Staged, Disposable {
  /** Gives it its name again; a free one like it, when that is taken by now. */
  putBack(): void
  /** Names it once more as something to be removed: from here on nothing comes back. */
  doom(): Staged
}

/**
 * Takes a thing out of sight in one step, without removing it. The caller disposes of what is returned,
 * after `putBack` or `doom`.
 *
 * @param slot on the file system of `home`, at `home` or below it
 * @param own the folder of this process in the private folder of `home`
 */
export function setAside(slot: Staged, home: Handle, own: Handle): Aside {
  const { folder, name } = filledFolder(own, ASIDE_PREFIX, (folder) => {
    writeRecord(folder, ORIGIN, originOf(slot, home))
    renameSync(slot.parent.at(slot.name), folder.at(THING))
  })
  return {
    parent: folder,
    name: THING,
    putBack: () => restore(folder, home),
    doom: () => {
      const doomed = { parent: own, name: randomName() }
      renameSync(folder.at(THING), own.at(doomed.name))
      return doomed
    },
    [Symbol.dispose]: () => {
      const isEmpty = !folder.names().includes(THING)
      folder.close()
      if (isEmpty) rmSync(own.at(name), { recursive: true, force: true })
    },
  }
}

export function isAside(name: string): boolean {
  return name.startsWith(ASIDE_PREFIX)
}

/** Puts back what a process that is gone had set aside. @returns whether nothing is left aside */
export function isRestored(left: Handle, name: string, home: Handle): boolean {
  try {
    using folder = left.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
    if (folder.names().includes(THING)) restore(folder, home)
    return true
  } catch {
    return false
  }
}

/** Gives what `folder` keeps its name below `home` again. @throws system errors */
function restore(folder: Handle, home: Handle): void {
  const segments = readRecord(folder, ORIGIN).split('/')
  const name = segments.pop() ?? THING
  using parent = nearestFolder(home, segments)
  putBack({ parent: folder, name: THING }, { parent, name })
}

/**
 * The folder that `segments` name below `home`, or the last one on the way that is still there. Never a
 * private one, which is cleared without asking.
 */
function nearestFolder(home: Handle, segments: readonly string[]): Handle {
  let folder = home.duplicate()
  for (const name of segments) {
    // A record on a disk that somebody else has written may say anything.
    if (isPrivateName(name) || ['', '.', '..'].includes(name)) break
    try {
      const next = folder.child(name, constants.O_RDONLY | constants.O_DIRECTORY)
      folder.close()
      folder = next
    } catch {
      break
    }
  }
  return folder
}

/** Where a thing lies below `home`, as a relative path. */
function originOf({ parent, name }: Staged, home: Handle): string {
  const below = parent.realPath().slice(home.realPath().length)
  return `${below}/${name}`.replace(/^\/+/, '')
}
