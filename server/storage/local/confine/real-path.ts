/**
 * Resolves recorded paths, such as those of the journal and the trash. They were real paths when they were recorded, so a
 * link in one has replaced a folder since, and is refused wherever it leads. A link at the end of a path is the object
 * itself.
 */
import { constants } from 'node:fs'
import { errnoOf, SystemError } from '#server/os/errno.ts'
import { O_DIRECTORY, O_FOLDER, O_PATH } from '#server/os/flags.ts'
import { replacedByLink } from '../handles/faults.ts'
import type { Handle } from '../handles/handle.ts'
import { isLinkAt, type OpenSlot, type PathResolver, slotOf } from '../handles/resolve.ts'

/** Errors if the kernel, or a filter of system calls, lacks openat2. */
const LACKS_CALL = ['ENOSYS', 'EPERM']

/** Refuses every link in a path with the fault `outside`. */
export const REFUSE_LINKS: PathResolver = { open: openReal, slot: realSlot }

/**
 * Opens the object at `segments` beneath `folder`.
 *
 * @param flags of open(2): O_PATH, and O_DIRECTORY for folders only
 * @throws Fault outside (a link in the path); SystemError ENOENT, ENOTDIR
 */
function openReal(folder: Handle, segments: string[], flags = O_PATH): Handle {
  if (segments.length === 0) return folder.duplicate()
  // With O_DIRECTORY the last name is a folder of the path like the others.
  const lastFlags = flags & O_DIRECTORY ? flags : flags | constants.O_NOFOLLOW
  try {
    return folder.openBelow(segments.join('/'), lastFlags, 'mounts')
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (errno === 'ELOOP') throw replacedByLink()
    if (!LACKS_CALL.includes(errno)) throw error
  }
  return openByComponents(folder, segments, flags)
}

/**
 * Opens the parent folder of `segments`, and returns it with the last name, which need not exist.
 *
 * @throws as `openReal`; SystemError EINVAL for `folder` itself
 */
function realSlot(folder: Handle, segments: string[]): OpenSlot {
  const name = segments.at(-1)
  if (name === undefined) throw new SystemError('open', 'EINVAL')
  const parent = openReal(folder, segments.slice(0, -1), O_FOLDER)
  try {
    return slotOf(parent, name)
  } catch (error) {
    parent.close()
    throw error
  }
}

/** Opens one component after the other. A link that replaces one between check and open fails with ENOTDIR. */
function openByComponents(folder: Handle, segments: string[], flags: number): Handle {
  let current = folder.duplicate()
  for (const [index, name] of segments.entries()) {
    using above = current
    const componentFlags = index === segments.length - 1 ? flags : O_FOLDER
    if (componentFlags & O_DIRECTORY && isLinkAt(above, name)) throw replacedByLink()
    current = above.child(name, componentFlags)
  }
  return current
}
