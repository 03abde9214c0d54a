/**
 * Hides files and folders in the private folder while they are moved to another file system. After a crash they are
 * restored to their paths.
 */

import { constants, renameSync } from 'node:fs'
import { O_DIRECTORY } from '#server/os/flags.ts'
import { rmSync } from '#server/os/remove.ts'
import { isPrivateName } from '#wire/reserved-names.ts'
import {
  createFilledFolder,
  randomName,
  readRecord,
  writeRecord,
} from '../attributes/own-folder.ts'
import { restoreName, type Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'

/** Prefix of a folder that holds one hidden item; it is in the folder of the process. */
const ASIDE_PREFIX = 'aside-'
/** The name of the item in that folder. Earlier versions use it too, so it must not change. */
const CONTENT = 'thing'
/** In that folder: a record with the path of the item before it was hidden, relative to `home`. */
const ORIGIN = 'origin'

/** A hidden item. If this process ends without a call of `putBack` or `doom`, a later process restores the item. */
export interface Aside extends Slot, Disposable {
  /** Gives the item its name again, or the next free name if that is taken. */
  putBack(): void
  /** Renames the item, so that after a crash it is removed instead of restored. */
  doom(): Slot
}

/**
 * Hides an item by one rename, without removing it. The caller disposes of the result after `putBack` or `doom`.
 *
 * @param slot on the file system of `home`, at `home` or below it
 * @param home the folder that contains the private folder
 * @param processFolder the folder of this process in the private folder of `home`
 */
export function moveAside(slot: Slot, home: Handle, processFolder: Handle): Aside {
  const { folder, name } = createFilledFolder(processFolder, ASIDE_PREFIX, (folder) => {
    writeRecord(folder, ORIGIN, originOf(slot, home))
    renameSync(slot.parent.at(slot.name), folder.at(CONTENT))
  })
  return {
    parent: folder,
    name: CONTENT,
    putBack: () => restore(folder, home),
    doom: () => {
      const doomedTree = { parent: processFolder, name: randomName() }
      renameSync(folder.at(CONTENT), processFolder.at(doomedTree.name))
      return doomedTree
    },
    [Symbol.dispose]: () => {
      const isContentGone = !folder.names().includes(CONTENT)
      folder.close()
      if (isContentGone) rmSync(processFolder.at(name), { recursive: true, force: true })
    },
  }
}

export function isAside(name: string): boolean {
  return name.startsWith(ASIDE_PREFIX)
}

/**
 * Restores an item that was hidden by a process that has ended.
 *
 * @param processFolder the folder of that process
 * @param name of the folder in it that holds the item
 * @param home as of `moveAside`
 * @returns false if the item is still there and could not be restored
 */
export function restoreAside(processFolder: Handle, name: string, home: Handle): boolean {
  try {
    using folder = processFolder.child(name, constants.O_RDONLY | O_DIRECTORY)
    if (folder.names().includes(CONTENT)) restore(folder, home)
    return true
  } catch {
    return false
  }
}

/**
 * Moves the content of `folder` back to its recorded name below `home`.
 *
 * @throws system errors
 */
function restore(folder: Handle, home: Handle): void {
  const segments = readRecord(folder, ORIGIN).split('/')
  const name = segments.pop() ?? CONTENT
  using parent = nearestExistingFolder(home, segments)
  restoreName({ parent: folder, name: CONTENT }, { parent, name })
}

/**
 * Opens the folder at `segments` below `home`, or the lowest existing folder above it. It never opens a private folder,
 * because the items in those are removed without a check.
 */
function nearestExistingFolder(home: Handle, segments: readonly string[]): Handle {
  let folder = home.duplicate()
  for (const name of segments) {
    // On a removable disk another program may have written the record.
    if (isPrivateName(name) || ['', '.', '..'].includes(name)) break
    try {
      const next = folder.child(name, constants.O_RDONLY | O_DIRECTORY)
      folder.close()
      folder = next
    } catch {
      break
    }
  }
  return folder
}

/** @returns the path of the item relative to `home` */
function originOf({ parent, name }: Slot, home: Handle): string {
  const below = parent.realPath().slice(home.realPath().length)
  return `${below}/${name}`.replace(/^\/+/, '')
}
