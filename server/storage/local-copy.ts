/** Copying: a whole copy is staged on the file system of its destination, then it gets its name. */
import { promises, readlinkSync, symlinkSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { Changes } from './changes.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { copyTree } from './copy-tree.ts'
import type { Mover } from './local-move.ts'
import { refuseTaken } from './local-rename.ts'
import { statSlot } from './local-resolve.ts'
import type { TransferOptions } from './storage.ts'
import type { Volumes } from './volumes.ts'

/** What a copy needs of its storage, for the length of one verb. */
export interface CopyDeps {
  confined: ConfinedFolder
  volumes: Volumes
  mover: Mover
  changes: Changes
}

/**
 * Copies what `from` leads to; a link that leads to nothing is copied as the link that it is.
 *
 * @throws as `Storage.copy`; system errors
 */
export async function copyInside(
  { from, to, options }: { from: TreePath; to: TreePath; options: TransferOptions },
  { confined, volumes, mover, changes }: CopyDeps,
): Promise<void> {
  using link = confined.node(from).kind === 'danglingLink' ? confined.slot(from) : undefined
  using source = link ? undefined : confined.open(from)
  using target = confined.slot(to)
  const existing = statSlot(target)
  refuseTaken(source?.stat() ?? NO_FOLDER, existing, options.overwrite)
  using into = existing?.isDirectory() ? target.parent.child(target.name, O_PATH) : undefined
  const { flushes } = volumes
  using volume = await volumes.use(into ?? target.parent)
  const staged = volume.folder.staged()
  try {
    if (source) {
      await copyTree(source, staged, (folder, name) => confined.copied(folder, name), flushes)
      if (volumes.isHidden(source)) throw goneMeanwhile()
    } else if (link) {
      const text = readlinkSync(link.parent.at(link.name), { encoding: 'buffer' })
      symlinkSync(text, staged.parent.at(staged.name))
    }
    await mover.publish(staged, target, { ...options, changes })
  } finally {
    await promises.rm(staged.parent.at(staged.name), { recursive: true, force: true })
  }
}

const NO_FOLDER = { isDirectory: () => false }

function goneMeanwhile(): Fault {
  return new Fault('conflict', 'The files were removed or moved while they were copied.')
}
