/** The capabilities of a storage that wait until the file systems they touch have answered. */
import type { TreePath } from '#wire/paths.ts'
import type { Capabilities } from './storage.ts'
import type { TrashStore } from './trash-store.ts'

/** @returns undefined if the paths are on the root's file system alone */
type Answer = (...paths: TreePath[]) => Promise<void> | undefined

export function responsiveCapabilities(can: Capabilities, answer: Answer): Capabilities {
  const { openForCommand, watch, isSameVolume, removeCopy, snapshots, names, trash } = can
  return {
    ...can,
    ...(openForCommand && {
      openForCommand: async (path) => {
        await answer(path)
        return openForCommand(path)
      },
    }),
    ...(watch && {
      watch: async (path, changed) => {
        await answer(path)
        return watch(path, changed)
      },
    }),
    ...(isSameVolume && {
      isSameVolume: async (from, to) => {
        await answer(from, to)
        return isSameVolume(from, to)
      },
    }),
    ...(removeCopy && {
      removeCopy: async (name, to) => {
        await answer(to)
        return removeCopy(name, to)
      },
    }),
    ...(snapshots && {
      snapshots: {
        list: async (path, known) => {
          await answer(path)
          return snapshots.list(path, known)
        },
        read: async (path, id, known, range) => {
          await answer(path)
          return snapshots.read(path, id, known, range)
        },
      },
    }),
    ...(names && {
      names: {
        find: async (path, query) => {
          await answer(path)
          return names.find(path, query)
        },
        sizes: async (path) => {
          await answer(path)
          return names.sizes(path)
        },
      },
    }),
    ...(trash && { trash: responsiveTrash(trash, answer) }),
  }
}

/** The content of the trash itself is checked by the trash (local-trash.ts). */
function responsiveTrash(trash: TrashStore, answer: Answer): TrashStore {
  return {
    ...trash,
    get writer() {
      return trash.writer
    },
    markAt: async (path) => {
      await answer(path)
      return trash.markAt(path)
    },
    parentAt: async (path) => {
      await answer(path)
      return trash.parentAt(path)
    },
    changedSince: async (folder, sinceMs, limit) => {
      await answer(folder)
      return trash.changedSince(folder, sinceMs, limit)
    },
    trashAt: async (path) => {
      await answer(path)
      return trash.trashAt(path)
    },
    restore: async (name, to, options) => {
      await answer(to)
      return trash.restore(name, to, options)
    },
  }
}
