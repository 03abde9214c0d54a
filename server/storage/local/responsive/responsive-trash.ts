/** The trash of a storage: the content on other file systems is read and changed by the threads of these. */

import { ROOT_TRASH, type TrashId, trashOf } from '#server/storage/step.ts'
import type { TrashStore } from '#server/storage/trash-store.ts'
import { ROOT } from '#wire/paths.ts'
import { clampRange } from '../handles/open-file.ts'
import type { TrashFolders } from '../trash/trash-folders.ts'
import type { ChangeThread } from './change-thread.ts'
import { DeviceFile } from './device-file.ts'
import type { ResponsiveDeps } from './responsive-deps.ts'

export function responsiveTrash(
  trash: TrashStore,
  trashes: TrashFolders,
  { threadFor, disks, changes, view }: ResponsiveDeps,
): TrashStore {
  /** Nothing is asked. */
  const deviceOf = (id: TrashId): string | undefined => {
    if (id === ROOT_TRASH) return disks.deviceOf(ROOT)
    const mountPoint = trashes.mountPointOf(id)
    return mountPoint === undefined ? undefined : disks.deviceAt(mountPoint)
  }
  const isAway = (id: TrashId): boolean => {
    const mountPoint = trashes.mountPointOf(id)
    const device = deviceOf(id)
    if (device === undefined) return mountPoint !== undefined
    return changes.isSilent(device) || disks.threads.isSilent(device)
  }
  /** The thread of a trash; undefined if its file system is not mounted, or is a root that needs no thread. */
  const threadOf = (id: TrashId): ChangeThread | undefined => {
    const device = deviceOf(id)
    return device === undefined ? undefined : changes.of(device)
  }
  const idsBelow = () => (disks.mayTouchRootNow ? trashes.ids() : trashes.knownIds())
  const threadOfName = (name: string) => threadOf(trashOf(name))
  return {
    ...trash,
    get writer() {
      return trash.writer
    },
    markAt: async (path) => {
      const thread = await threadFor(path)
      await thread?.settled()
      return thread ? thread.run(view, 'markAt', path) : trash.markAt(path)
    },
    parentAt: async (path) => {
      const thread = await threadFor(path)
      await thread?.settled()
      return thread ? thread.run(view, 'parentAt', path) : trash.parentAt(path)
    },
    changedSince: async (folder, sinceMs, limit) => {
      const thread = await threadFor(folder)
      return thread
        ? thread.run(view, 'changedSince', folder, sinceMs, limit)
        : trash.changedSince(folder, sinceMs, limit)
    },
    mark: async (name) => {
      const thread = threadOfName(name)
      await thread?.settled()
      return thread ? thread.run(view, 'mark', name) : trash.mark(name)
    },
    isAway: (name) => isAway(trashOf(name)),
    trashAt: async (path) => {
      const thread = await threadFor(path)
      return thread ? thread.run(view, 'trashAt', path) : trash.trashAt(path)
    },
    canKeep: async (path) => {
      const thread = await threadFor(path)
      return thread ? thread.run(view, 'canKeep', path) : trash.canKeep(path)
    },
    trashes: () => [ROOT_TRASH, ...idsBelow()].filter((id) => !isAway(id)),
    usage: async (id) => {
      const thread = threadOf(id)
      return thread ? thread.run(view, 'trashUsage', id) : trash.usage(id)
    },
    list: async (id) => {
      const thread = threadOf(id)
      return thread ? thread.run(view, 'trashList', id) : trash.list(id)
    },
    restore: async (name, to, options) => {
      const thread = (await threadFor(to)) ?? threadOfName(name)
      return thread
        ? thread.run(view, 'restore', name, to, options)
        : trash.restore(name, to, options)
    },
    read: async (name, path, range) => {
      const thread = threadOfName(name)
      if (!thread) return trash.read(name, path, range)
      const opened = await thread.run(view, 'readKept', name, path)
      const clamped = clampRange(range?.(opened.node), opened.node.sizeBytes)
      return new DeviceFile(disks.threads, thread.device, opened, clamped)
    },
    writeRecord: async (name, text) => {
      const thread = threadOfName(name)
      return thread ? thread.run(view, 'writeRecord', name, text) : trash.writeRecord(name, text)
    },
    readRecord: async (name) => {
      const thread = threadOfName(name)
      return thread ? thread.run(view, 'readRecord', name) : trash.readRecord(name)
    },
    sizeOf: async (name) => {
      const thread = threadOfName(name)
      return thread ? thread.run(view, 'sizeOf', name) : trash.sizeOf(name)
    },
    async *paths(name) {
      const thread = threadOfName(name)
      if (!thread) {
        yield* trash.paths(name)
        return
      }
      const found: string[] = []
      const paths = async (some: string[]) => void found.push(...some)
      await thread.run(view, 'keptPaths', name, { paths })
      yield* found
    },
    discard: async (name) => {
      const thread = threadOfName(name)
      return thread ? thread.run(view, 'discard', name) : trash.discard(name)
    },
  }
}
