/** The capabilities of a storage, of which the threads of other file systems do what touches these. */

import type { Capabilities } from '#server/storage/storage.ts'
import { isFault } from '#wire/fault.ts'
import { ROOT, type TreePath } from '#wire/paths.ts'
import { DescriptorHandle } from '../handles/descriptor.ts'
import { clampRange } from '../handles/open-file.ts'
import type { LocalStorage } from '../local-storage.ts'
import { isAtOrBelow } from '../mounts/mounts.ts'
import { DeviceFile } from './device-file.ts'
import type { ResponsiveDeps } from './responsive-deps.ts'
import { responsiveTrash } from './responsive-trash.ts'

export function responsiveCapabilities(inner: LocalStorage, deps: ResponsiveDeps): Capabilities {
  const { can } = inner
  const { openForCommand, watch, isSameVolume, removeCopy, snapshots, trash, sharing } = can
  const { rootAnswers, threadFor, disks, trashes, view } = deps
  return {
    ...can,
    ...(openForCommand && {
      openForCommand: async (path) => {
        const silent = await silentMounts(deps)
        const thread = await threadFor(path)
        if (!thread) return inner.openForCommand(path, silent)
        const { fd, ...folder } = await thread.run(view, 'openForCommand', path, silent)
        const handle = new DescriptorHandle(fd)
        return { ...folder, fd, [Symbol.dispose]: () => handle.close() }
      },
    }),
    ...(watch && {
      watch: async (path, changed) => {
        const thread = await threadFor(path)
        return thread ? thread.watch(view, path, { changed }) : watch(path, changed)
      },
    }),
    ...(isSameVolume && {
      isSameVolume: async (from, to) => {
        const thread = await threadFor(from, to)
        return thread ? thread.run(view, 'isSameVolume', from, to) : isSameVolume(from, to)
      },
    }),
    ...(removeCopy && {
      removeCopy: async (name, to) => {
        const thread = await threadFor(to)
        return thread ? thread.run(view, 'removeCopy', name, to) : removeCopy(name, to)
      },
    }),
    ...(snapshots && {
      snapshots: {
        list: async (path, known) => {
          const thread = await threadFor(path)
          return thread ? thread.run(view, 'snapshots', path, known) : snapshots.list(path, known)
        },
        read: async (path, id, known, range) => {
          const thread = await threadFor(path)
          if (!thread) return snapshots.read(path, id, known, range)
          const opened = await thread.run(view, 'snapshot', path, id, known)
          const clamped = clampRange(range?.(opened.node), opened.node.sizeBytes)
          return new DeviceFile(disks.threads, thread.device, opened, clamped)
        },
      },
    }),
    ...(sharing && {
      sharing: {
        ...sharing,
        // A root that is slow is cleared later.
        clearLeftovers: async () => {
          if (await disks.mayTouchRoot()) await sharing.clearLeftovers()
        },
        checkStaging: async () => {
          await rootAnswers()
          await sharing.checkStaging()
        },
        lacks: async () => {
          const thread = await threadFor(ROOT)
          return thread ? thread.run(view, 'lacks') : sharing.lacks()
        },
        openMeeting: async () => {
          const thread = await threadFor(ROOT)
          return thread ? thread.run(view, 'openMeeting') : sharing.openMeeting()
        },
        makeNames: async (meeting, side) => {
          const thread = await threadFor(ROOT)
          return thread
            ? thread.run(view, 'makeNames', meeting, side)
            : sharing.makeNames(meeting, side)
        },
        closeMeeting: async (meeting) => {
          const thread = await threadFor(ROOT)
          return thread ? thread.run(view, 'closeMeeting', meeting) : sharing.closeMeeting(meeting)
        },
      },
    }),
    ...(trash && trashes && { trash: responsiveTrash(trash, trashes, deps) }),
  }
}

/**
 * The trash folders are hidden from a command. One on a disk that does not respond is not touched: the command cannot enter
 * that disk.
 *
 * @returns the mount points of such disks, as paths below the served root; the outermost of those below each other
 */
async function silentMounts({ answer, disks, trashes, path }: ResponsiveDeps): Promise<TreePath[]> {
  const trashFolders = (trashes?.ids() ?? []).flatMap((id) => trashes?.mountPointOf(id) ?? [])
  const mounts = disks.mounts.all
    .map((mount) => mount.path)
    .filter((mount) => trashFolders.some((folder) => isAtOrBelow(folder, mount)))
    .filter((mount) => mount !== path && isAtOrBelow(mount, path))
    .sort((one, other) => one.length - other.length)
  const silent: TreePath[] = []
  for (const mount of mounts) {
    if (silent.some((above) => isAtOrBelow(mount, above))) continue
    try {
      await answer(mount)
    } catch (error) {
      if (!isFault(error, 'unavailable')) throw error
      silent.push(mount)
    }
  }
  return silent
}
