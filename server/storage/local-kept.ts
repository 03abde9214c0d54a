/** Content that was deleted or replaced: looked at, read, given a name again, removed for ever. */
import { constants } from 'node:fs'
import { errnoOf } from '#server/os/errno.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { statsAt } from './atomic.ts'
import type { Changes } from './changes.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { faults } from './faults.ts'
import type { Mover } from './local-move.ts'
import { nodeOf } from './local-node.ts'
import { READ_FLAGS, type Slot } from './local-resolve.ts'
import { cut, streamOf } from './local-stream.ts'
import { markOf } from './step.ts'
import type { ByteRange, Kept, Node, Opened, TransferOptions } from './storage.ts'
import type { TrashFolder } from './trash-folder.ts'

/** What a view of the tree lends for it. */
export interface View {
  jail(): ConfinedFolder
  changes(jail: ConfinedFolder, options: TransferOptions): Changes
  mover: Mover
  /** Tells the index of a change, when it is disposed of. */
  telling(slot: Slot): Disposable
}

/** The trash of the served folder, as one view of the tree reaches it. */
export function keptIn(trash: TrashFolder, view: View): Kept {
  return {
    get writer() {
      return trash.writer
    },
    isGone: (writer) => trash.isGone(writer),
    look: (path) => faults(() => lookIn(view, path)),
    mark: (name) => trash.mark(name),
    list: () =>
      trash.names().flatMap((name) => {
        const stats = trash.stats(name)
        // Nobody chooses the time of change, and a rename sets it.
        return stats ? { name, sinceMs: Number(stats.ctimeMs) } : []
      }),
    restore: (name, to, options) =>
      faults(async () => {
        const content = trash.at(name)
        if (!statsAt(content)) throw gone()
        using jail = view.jail()
        using target = jail.slot(to)
        using _ = view.telling(target)
        const changes = view.changes(jail, options)
        await view.mover.publish(content, target, { ...options, changes })
        // After an exchange, what was replaced: it has a name of its own in here by now.
        if (options.overwrite) await trash.discard(name)
        return jail.realOf(target)
      }),
    read: (name, path, range) => faults(() => readKept(trash, name, path, range)),
    sizeOf: (name) => faults(() => trash.sizeOf(name)),
    async *paths(name) {
      for await (const { path } of trash.walk(name)) yield path
    },
    discard: (name) => faults(() => trash.discard(name)),
  }
}

function lookIn(view: View, path: TreePath): string | undefined {
  try {
    using jail = view.jail()
    using slot = jail.slot(path)
    const stats = statsAt(slot)
    return stats && markOf(stats)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

function readKept(
  trash: TrashFolder,
  name: string,
  path: TreePath,
  range: ((node: Node) => ByteRange | undefined) | undefined,
): Opened {
  const { parent } = trash.at(name)
  if (!trash.stats(name)) throw gone()
  const file = parent.child(name, READ_FLAGS | constants.O_NOFOLLOW)
  try {
    const stats = file.stat()
    if (!stats.isFile()) throw new Fault('unsupported', 'This is not a regular file.')
    const node = nodeOf(path, stats)
    const wanted = cut(range?.(node), node.sizeBytes)
    return { node, range: wanted, disk: file.disk, bytes: streamOf(file, node, wanted) }
  } catch (error) {
    file.close()
    throw error
  }
}

function gone(): Fault {
  return new Fault('notFound', 'The content is gone for ever.')
}
