/**
 * TreePath → handle. The policy for links lives here and nowhere else: links that stay beneath the
 * jail are followed, links that leave it fail with EXDEV.
 *
 * On Linux with openat2 the kernel walks and guards. Where it cannot (no openat2, or an absolute link
 * that leads back inside, which RESOLVE_BENEATH refuses), the walk goes component by component with
 * O_NOFOLLOW, so that nothing swapped in the middle is ever followed unseen.
 */
import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { openBeneath, openOnSameMount } from '#server/os/open-beneath.ts'
import { nameOfBytes } from '#wire/names.ts'
import type { TreePath } from '#wire/paths.ts'
import { Handle } from './handle.ts'

/** As many links as the kernel follows in one path (path_resolution(7)). */
const LINKS_MAX = 40

/** A name in an open folder: the place a verb acts on. */
export interface Slot extends Disposable {
  parent: Handle
  name: string
  /** Where the folder lay when it was opened: what was asked of the place was asked of that path. */
  where: string
}

/**
 * Opens what `segments` lead to beneath `jail`, following links.
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

/** Names that no file system writes in another way, but for their case. */
const PLAIN = /^\/[\x20-\x7e]+$/
/** A link or a mount on the way, or a kernel that cannot tell. */
const UNTOLD = ['ELOOP', 'EXDEV', 'ENOSYS', 'EPERM']

/**
 * Opens what lies at a path without any link on the way, on the folder's own mount, where the kernel says so: its real name
 * is that path then, unless the file system ignores case.
 *
 * @returns undefined for what only `openInside` can tell
 * @throws SystemError as that
 */
export function openExactly(folder: Handle, path: TreePath): Handle | undefined {
  if (!PLAIN.test(path)) return undefined
  try {
    return new Handle(openOnSameMount(folder.fd, path.slice(1), O_PATH))
  } catch (error) {
    if (UNTOLD.includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

/**
 * The place `segments` name: the parent folder, links followed, and the last name as it stands.
 * With `followLast`, a link at the end is followed to the place it leads to, which may be empty.
 *
 * @throws SystemError as openInside; EINVAL for the jail itself, which has no place inside.
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

/** What stands at a place, itself and not what it links to; undefined when the place is empty. */
export function statSlot({ parent, name }: Pick<Slot, 'parent' | 'name'>): Stats | undefined {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })
}

function slotOf(parent: Handle, name: string): Slot {
  const where = parent.realPath()
  return { parent, name, where, [Symbol.dispose]: () => parent.close() }
}

function linkAt(parent: Handle, name: string): boolean {
  return lstatSync(parent.at(name), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/**
 * The walk in steps. `trail` holds the open folders from the jail to here, so `..` is a step back on
 * the trail and can never climb over the jail.
 */
function walk(folder: Handle, segments: string[], last: 'follow'): Slot {
  const ancestors: Handle[] = [folder.duplicate()]
  const pending = [...segments]
  let links = 0
  try {
    for (;;) {
      const here = ancestors.at(-1)
      const name = pending.shift()
      if (!here || name === undefined) throw new SystemError('walk', 'EINVAL')
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
      if (linkAt(here, name) && (pending.length > 0 || last === 'follow')) {
        links += 1
        if (links > LINKS_MAX) throw new SystemError('walk', 'ELOOP')
        const target = nameOfBytes(readlinkSync(here.at(name), { encoding: 'buffer' }))
        pending.unshift(...expand(folder, ancestors, target))
        continue
      }
      if (pending.length === 0) {
        ancestors.pop()
        return slotOf(here, name)
      }
      ancestors.push(here.child(name, O_FOLDER))
    }
  } finally {
    for (const handle of ancestors) handle.close()
  }
}

/** The segments a link adds to the way. An absolute one starts again at the jail, if it leads there. */
function expand(folder: Handle, ancestors: Handle[], target: string): string[] {
  if (!target.startsWith('/')) return target.split('/')
  const root = folder.realPath()
  const prefix = root === '/' ? '/' : `${root}/`
  if (target !== root && !target.startsWith(prefix)) throw new SystemError('walk', 'EXDEV')
  while (ancestors.length > 1) ancestors.pop()?.close()
  const below = target.slice(prefix.length).split('/')
  return below
}

/** A link led to a folder on the trail itself: its place is its name in the folder above. */
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

/** For reading a regular file; nothing waits on a pipe. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY
/** For reading the names of a folder. */
export const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY
