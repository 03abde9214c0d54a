/** Copying one thing to a name: complete and staged first, then in its place in one step. */
import { promises, readlinkSync, symlinkSync } from 'node:fs'
import { Fault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import { copyTree } from './copy-tree.ts'
import { O_PATH } from './handle.ts'
import type { Mover } from './local-move.ts'
import { refuseTaken } from './local-rename.ts'
import { statSlot } from './local-resolve.ts'
import type { TransferOptions } from './storage.ts'
import type { Volumes } from './volumes.ts'

/**
 * Copies what `from` leads to; a link that leads to nothing is copied as the link that it is.
 *
 * @throws as `Storage.copy`; system errors
 */
export async function copyInside(
  { volumes, mover }: { volumes: Volumes; mover: Mover },
  jail: ConfinedFolder,
  { from, to, options }: { from: TreePath; to: TreePath; options: TransferOptions },
): Promise<void> {
  using link = jail.node(from).kind === 'danglingLink' ? jail.slot(from) : undefined
  using source = link ? undefined : jail.open(from)
  using target = jail.slot(to)
  const existing = statSlot(target)
  refuseTaken(source?.stat() ?? NO_FOLDER, existing, options.overwrite)
  using into = existing?.isDirectory() ? target.parent.child(target.name, O_PATH) : undefined
  using volume = await volumes.use(into ?? target.parent)
  const staged = volume.folder.staged()
  try {
    if (source) {
      await copyTree(source, staged, (folder, name) => jail.copied(folder, name))
      if (volumes.isHidden(source)) throw goneMeanwhile()
    } else if (link) {
      const text = readlinkSync(link.parent.at(link.name), { encoding: 'buffer' })
      symlinkSync(text, staged.parent.at(staged.name))
    }
    await mover.publish(staged, target, options)
  } finally {
    await promises.rm(staged.parent.at(staged.name), { recursive: true, force: true })
  }
}

const NO_FOLDER = { isDirectory: () => false }

function goneMeanwhile(): Fault {
  return new Fault('conflict', 'The files were removed or moved while they were copied.')
}
