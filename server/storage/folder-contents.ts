/** The entries of a folder for a listing or a copy, without the server's own files. */
import { lstatSync, readlinkSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import type { TreePath } from '#wire/paths.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import type { CopySource } from './copy-tree.ts'
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

/** How links are resolved, and which files belong to the server. */
export interface ListingView {
  confined: ConfinedFolder
  serverFiles: ServerFiles
}

/** Yields the nodes that a listing shows. */
export function* childrenOf(
  folder: OpenFolder,
  records: FolderRecords,
  { confined, serverFiles }: ListingView,
): Generator<Node> {
  const isOwn = serverFiles.listedIn(folder.handle)
  const pathOf = pathsIn(folder.path)
  const realOf = folder.real === folder.path ? undefined : pathsIn(folder.real)
  for (const [index, name] of namesOf(records).entries()) {
    if (isPrivateName(name)) continue
    const path = pathOf(name)
    const node = new RecordNode(
      { path, real: realOf?.(name) ?? path, foldsCase: folder.foldsCase },
      records,
      index,
    )
    if (isOwn(name, node.ino)) continue
    const shown = node.kind === 'danglingLink' ? linkNodeAt(confined, path) : node
    if (shown) yield shown
  }
}

/** @returns the source for a copy of `name`, with links followed; undefined if it is left out */
export function copySourceAt(
  folder: Handle,
  name: string,
  { confined, serverFiles }: ListingView,
): CopySource | undefined {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (!stats || serverFiles.listedIn(folder)(name, stats.ino)) return undefined
  const isLink = stats.isSymbolicLink()
  if (!isLink) return { object: folder.child(name, O_PATH), isLink }
  const path = confined.nameOf({ parent: folder, name })
  try {
    return { object: confined.open(path), isLink }
  } catch {
    const isBroken = linkNodeAt(confined, path)?.kind === 'danglingLink'
    return isBroken ? { text: readlinkSync(folder.at(name), { encoding: 'buffer' }) } : undefined
  }
}

/** @returns the node of a link for a listing; undefined if the link leads to a forbidden location */
function linkNodeAt(confined: ConfinedFolder, path: TreePath): Node | undefined {
  try {
    return confined.node(path)
  } catch {
    return undefined
  }
}
