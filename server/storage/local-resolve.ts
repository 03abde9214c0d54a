/**
 * Resolves a TreePath to a handle. This is the only code that decides about links: a link inside the confined folder
 * is followed, a link that leaves it fails with EXDEV.
 *
 * With openat2 the kernel walks and confines. Without it, or for an absolute link back into the folder, which
 * RESOLVE_BENEATH refuses, the walk opens component by component with O_NOFOLLOW, so that no replaced component is
 * followed unseen.
 */
import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { openBeneath, openOnSameMount } from '#server/os/open-beneath.ts'
import { nameOfBytes } from '#wire/names.ts'
import type { TreePath } from '#wire/paths.ts'
import { Handle } from './handle.ts'

/** The kernel's own limit of links in one path (path_resolution(7)). */
const LINKS_MAX = 40

/** A name in an open folder: the target of a verb. */
export interface Slot extends Disposable {
  parent: Handle
  name: string
  /** The path of the folder when it was opened; access was checked for this path. */
  where: string
}

/**
 * Opens the object at `segments` beneath `folder`, following links.
 *
 * @throws SystemError ENOENT, ENOTDIR, EXDEV (leads outside), ELOOP
 */
export function openInside(folder: Handle, segments: string[]): Handle {
  if (segments.length === 0) return folder.duplicate()
  try {
    return new Handle(openBeneath(folder.fd, segments.join('/'), O_PATH))
  } catch (error) {
    if (!['EXDEV', 'ENOSYS', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
  }
  using slot = walk(folder, segments, 'follow')
  return slot.parent.child(slot.name, O_PATH)
}

/** Names that every file system stores unchanged, except for their case. */
const PLAIN = /^\/[\x20-\x7e]+$/
/** Errors for a link or a mount on the way, or a kernel without openat2. */
const UNDECIDED = ['ELOOP', 'EXDEV', 'ENOSYS', 'EPERM']

/**
 * Opens a path that contains no link, on the folder's own mount. The path is then its real name, unless the file
 * system ignores case.
 *
 * @returns undefined if `openInside` has to decide
 * @throws SystemError as `openInside`
 */
export function openExactly(folder: Handle, path: TreePath): Handle | undefined {
  if (!PLAIN.test(path)) return undefined
  try {
    return new Handle(openOnSameMount(folder.fd, path.slice(1), O_PATH))
  } catch (error) {
    if (UNDECIDED.includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/**
 * Opens the parent folder of `segments`, following links, and returns the last name unresolved. With `followLast`, a
 * link at the end is followed to its target, which need not exist.
 *
 * @throws SystemError as `openInside`; EINVAL for the confined folder itself
 */
export function slotInside(folder: Handle, segments: string[], followLast = false): Slot {
  const name = segments.at(-1)
  if (name === undefined) throw new SystemError('open', 'EINVAL')
  const parent = openInside(folder, segments.slice(0, -1))
  if (!parent.stat().isDirectory()) {
    parent.close()
    throw new SystemError('open', 'ENOTDIR')
  }
  if (!followLast || !linkAt(parent, name)) return slotOf(parent, name)
  parent.close()
  return walk(folder, segments, 'follow')
}

/** @returns the stats of a slot, without following a link; undefined if it is free */
export function statSlot({ parent, name }: Pick<Slot, 'parent' | 'name'>): Stats | undefined {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })
}

function slotOf(parent: Handle, name: string): Slot {
  const parentPath = parent.realPath()
  return { parent, name, where: parentPath, [Symbol.dispose]: () => parent.close() }
}

function linkAt(parent: Handle, name: string): boolean {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/**
 * Walks component by component. `trail` holds the open folders down to the current one, so `..` is a step back on it
 * and cannot leave the confined folder.
 */
function walk(folder: Handle, segments: string[], last: 'follow'): Slot {
  const ancestors: Handle[] = [folder.duplicate()]
  const pending = [...segments]
  let links = 0
  try {
    for (;;) {
      const current = ancestors.at(-1)
      const name = pending.shift()
      if (!current || name === undefined) throw new SystemError('walk', 'EINVAL')
      if (name === '' || name === '.') {
        if (pending.length === 0) return endAtFolder(ancestors)
        continue
      }
      if (name === '..') {
        if (ancestors.length === 1) throw new SystemError('walk', 'EXDEV')
        ancestors.pop()?.close()
        if (pending.length === 0) return endAtFolder(ancestors)
        continue
      }
      if (linkAt(current, name) && (pending.length > 0 || last === 'follow')) {
        links += 1
        if (links > LINKS_MAX) throw new SystemError('walk', 'ELOOP')
        const target = nameOfBytes(readlinkSync(current.at(name), { encoding: 'buffer' }))
        pending.unshift(...expand(folder, ancestors, target))
        continue
      }
      if (pending.length === 0) {
        ancestors.pop()
        return slotOf(current, name)
      }
      ancestors.push(current.child(name, O_FOLDER))
    }
  } finally {
    for (const handle of ancestors) handle.close()
  }
}

/**
 * @returns the segments that a link adds to the path; an absolute link starts again at the confined folder, if it
 *   leads there
 */
function expand(folder: Handle, ancestors: Handle[], target: string): string[] {
  if (!target.startsWith('/')) return target.split('/')
  const root = folder.realPath()
  const prefix = root === '/' ? '/' : `${root}/`
  if (target !== root && !target.startsWith(prefix)) throw new SystemError('walk', 'EXDEV')
  while (ancestors.length > 1) ancestors.pop()?.close()
  const below = target.slice(prefix.length).split('/')
  return below
}

/** A link led to a folder on the trail itself: its slot is its name in the folder above. */
function endAtFolder(ancestors: Handle[]): Slot {
  const folder = ancestors.pop()
  const parent = ancestors.pop()
  if (!folder || !parent) {
    folder?.close()
    throw new SystemError('walk', 'EINVAL')
  }
  const name = folder.realPath().split('/').at(-1) ?? ''
  folder.close()
  return slotOf(parent, name)
}

/** For reading a regular file, without blocking on a pipe. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY
/** For reading the names of a folder. */
export const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY
