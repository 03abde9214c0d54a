/** What a folder holds, as a listing shows it and as a copy takes it along: never the server's own files. */
import { lstatSync, readlinkSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import type { Copied } from './copy-tree.ts'
import {
  type FolderRecords,
  namesOf,
  type OpenFolder,
  pathsIn,
  RecordNode,
} from './folder-records.ts'
import type { Handle } from './handle.ts'
import type { Node } from './node.ts'
import { isPrivateName } from './private-name.ts'
import type { ServerFiles } from './server-files.ts'

/** Where links lead, and which files are the server's. */
export interface Viewed {
  confined: ConfinedFolder
  own: ServerFiles
}

/** What a listing shows of what was found in a folder, made one after the other. */
export function* childrenOf(
  folder: OpenFolder,
  found: FolderRecords,
  { confined, own }: Viewed,
): Generator<Node> {
  const isOwn = own.listedIn(folder.handle)
  const pathOf = pathsIn(folder.path)
  const realOf = folder.real === folder.path ? undefined : pathsIn(folder.real)
  for (const [at, name] of namesOf(found).entries()) {
    if (isPrivateName(name)) continue
    const path = pathOf(name)
    const node = new RecordNode(
      { path, real: realOf?.(name) ?? path, foldsCase: folder.foldsCase },
      found,
      at,
    )
    if (isOwn(name, node.ino)) continue
    const shown = node.kind === 'danglingLink' ? linkedAt(confined, path) : node
    if (shown) yield shown
  }
}

/** What `name` in a folder stands for, if a copy may take it along: links are followed where they lead. */
export function copiedFrom(
  folder: Handle,
  name: string,
  { confined, own }: Viewed,
): Copied | undefined {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (!stats || own.listedIn(folder)(name, stats.ino)) return undefined
  const isLink = stats.isSymbolicLink()
  if (!isLink) return { object: folder.child(name, O_PATH), isLink }
  const path = confined.nameOf({ parent: folder, name })
  try {
    return { object: confined.open(path), isLink }
  } catch {
    const isBroken = linkedAt(confined, path)?.kind === 'danglingLink'
    return isBroken ? { text: readlinkSync(folder.at(name), { encoding: 'buffer' }) } : undefined
  }
}

/** What a listing shows of a link; undefined for one that leads where nobody may. */
function linkedAt(confined: ConfinedFolder, path: TreePath): Node | undefined {
  try {
    return confined.node(path)
  } catch {
    return undefined
  }
}
