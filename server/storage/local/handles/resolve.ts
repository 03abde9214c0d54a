/**
 * Resolves a TreePath to a handle. Only this file decides which links are followed: a link to a target inside the
 * confined folder is followed, a link to a target outside fails with EXDEV.
 *
 * With openat2(2) the kernel resolves the path and keeps it inside the folder. Without that call, and for an absolute
 * link to a target inside, which RESOLVE_BENEATH refuses, `walk` opens one component after the other with O_NOFOLLOW.
 * So a component that is replaced by a link is not followed without a check.
 */
import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs'
import { isAbsolute } from 'node:path'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { O_DIRECTORY, O_FINISH, O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { slashed } from '#server/os/slashed.ts'
import { nameOfBytes } from '#wire/names.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Slot } from './atomic.ts'
import type { Handle } from './handle.ts'

/** The kernel's own limit of links in one path (path_resolution(7)). */
const LINKS_MAX = 40

/** Opens what a path names below a folder, as `openInside` and `slotInside` or as `real-path.ts`. */
export interface PathResolver {
  open(folder: Handle, segments: string[], flags?: number): Handle
  slot(folder: Handle, segments: string[], followLast?: boolean): OpenSlot
}

/** The slot of an operation; disposing closes its parent folder. */
export interface OpenSlot extends Slot, Disposable {
  pathWhenChecked: string
  /** The stats that the name had when access to it was checked; absent if it was free, or is not known. */
  statsWhenChecked?: Stats | undefined
}

/**
 * Opens the object at `segments` beneath `folder`, following links.
 *
 * @param flags of open(2): O_PATH, and O_DIRECTORY for folders only
 * @throws SystemError ENOENT, ENOTDIR, EXDEV (a link or `..` leads outside), ELOOP
 */
export function openInside(folder: Handle, segments: string[], flags = O_PATH): Handle {
  if (segments.length === 0) return folder.duplicate()
  try {
    return folder.openBelow(segments.join('/'), flags, 'linksAndMounts')
  } catch (error) {
    if (!['EXDEV', 'ENOSYS', 'EPERM'].includes(errnoOf(error) ?? '')) throw error
  }
  using slot = walk(folder, segments)
  return slot ? slot.parent.child(slot.name, flags) : folder.duplicate()
}

/** Paths whose names every file system stores unchanged, except for their case. */
const PLAIN = /^\/[\x20-\x7e]+$/
/** Errors if the path contains a link or a mount point, or the kernel lacks openat2. */
const UNDECIDED = ['ELOOP', 'EXDEV', 'ENOSYS', 'EPERM']

/**
 * Opens a path that contains no link, on the folder's own mount. The path is then its real name, unless the file
 * system ignores case.
 *
 * @returns undefined if the path contains a link or a mount point, or this cannot be told; then use `openInside`
 * @throws SystemError as `openInside`
 */
export function openExactly(folder: Handle, path: TreePath): Handle | undefined {
  if (!PLAIN.test(path)) return undefined
  try {
    return folder.openBelow(path.slice(1), O_PATH, 'nothing')
  } catch (error) {
    if (UNDECIDED.includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/**
 * Opens the parent folder of `segments`, following links, and returns it with the last name, which need not exist. With
 * `followLast`, if the last name is a link, the slot is that of its target.
 *
 * @throws SystemError as `openInside`; EINVAL for the confined folder itself; ENAMETOOLONG
 */
function slotInside(folder: Handle, segments: string[], followLast = false): OpenSlot {
  const name = segments.at(-1)
  if (name === undefined) throw new SystemError('open', 'EINVAL')
  const parent = openInside(folder, segments.slice(0, -1), O_FOLDER)
  try {
    if (!followLast || !isLinkAt(parent, name)) return slotOf(parent, name)
  } catch (error) {
    parent.close()
    throw error
  }
  parent.close()
  const slot = walk(folder, segments)
  if (slot) return slot
  throw new SystemError('walk', 'EINVAL')
}

/** @returns the stats of a slot, without following a link; undefined if it is free */
export function statSlot({ parent, name }: Slot): Stats | undefined {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })
}

/** @returns whether the slot that `open` returns is taken; false if a folder above it is missing */
export function holdsObject(open: () => OpenSlot): boolean {
  try {
    using slot = open()
    return statSlot(slot) !== undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
}

/** @returns the slot of a name; disposing closes `parent` */
export function slotOf(parent: Handle, name: string): OpenSlot {
  const parentPath = parent.realPath()
  return { parent, name, pathWhenChecked: parentPath, [Symbol.dispose]: () => parent.close() }
}

export function isLinkAt(parent: Handle, name: string): boolean {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/**
 * Walks component by component, and follows each link, also the last one. `ancestors` holds the open folders from
 * `folder` down to the current one. `..` goes back to the previous one, so it cannot leave `folder`.
 *
 * @returns undefined if the path leads to `folder` itself, as by a link to it
 */
function walk(folder: Handle, segments: string[]): OpenSlot | undefined {
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
      if (isLinkAt(current, name)) {
        links += 1
        if (links > LINKS_MAX) throw new SystemError('walk', 'ELOOP')
        const bytes = readlinkSync(current.at(name), { encoding: 'buffer' })
        const target = slashed(nameOfBytes(bytes))
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
 * @returns the segments of a link's target. For an absolute target inside `folder`, they are relative to `folder`, and
 *   `ancestors` is cut down to it.
 */
function expand(folder: Handle, ancestors: Handle[], target: string): string[] {
  if (!isAbsolute(target)) return target.split('/')
  const root = folder.realPath()
  const prefix = root === '/' ? '/' : `${root}/`
  if (target !== root && !target.startsWith(prefix)) throw new SystemError('walk', 'EXDEV')
  while (ancestors.length > 1) ancestors.pop()?.close()
  return target.slice(prefix.length).split('/')
}

/** @returns the slot of the last of the open folders, in which the path ended by `.` or `..`; undefined for the first */
function endAtFolder(ancestors: Handle[]): OpenSlot | undefined {
  const folder = ancestors.pop()
  const parent = ancestors.pop()
  if (!folder || !parent) {
    folder?.close()
    return undefined
  }
  const name = folder.realPath().split('/').at(-1) ?? ''
  folder.close()
  return slotOf(parent, name)
}

/** Follows links to targets inside the folder. */
export const FOLLOW_LINKS: PathResolver = { open: openInside, slot: slotInside }

/** For reading a regular file, without blocking on a pipe. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY
/** For setting the attributes of a regular file, and for flushing it. */
export const FINISH_FLAGS = READ_FLAGS | O_FINISH
/** For reading the names of a folder. */
export const FOLDER_FLAGS = constants.O_RDONLY | O_DIRECTORY
