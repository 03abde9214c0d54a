/** The capabilities of a storage, of which the threads of other file systems do what touches these. */

import type { Capabilities } from '#server/storage/storage.ts'
import { DescriptorHandle } from '../handles/descriptor.ts'
import { clampRange } from '../handles/open-file.ts'
import { DeviceFile } from './device-file.ts'
import type { ResponsiveDeps } from './responsive-deps.ts'
import { responsiveTrash } from './responsive-trash.ts'

export function responsiveCapabilities(can: Capabilities, deps: ResponsiveDeps): Capabilities {
  const { openForCommand, watch, isSameVolume, removeCopy, snapshots, trash, sharing } = can
  const { rootAnswers, answer, threadFor, disks, trashes, view } = deps
  return {
    ...can,
    ...(openForCommand && {
      openForCommand: async (path) => {
        // The trash folders are hidden from the command.
        const trashFolders = (trashes?.knownIds() ?? []).flatMap(
          (id) => trashes?.mountPointOf(id) ?? [],
        )
        await answer(...trashFolders)
        const thread = await threadFor(path)
        if (!thread) return openForCommand(path)
        const { fd, ...folder } = await thread.run(view, 'openForCommand', path)
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
      },
    }),
    ...(trash && trashes && { trash: responsiveTrash(trash, trashes, deps) }),
  }
}
