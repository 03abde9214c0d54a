/** The entries of a folder for a listing or a copy, without the server's own files. */

import { lstatSync, readlinkSync } from 'node:fs'
import { O_PATH } from '#server/os/flags.ts'
import { runInSlices } from '#server/slices.ts'
import type { TreePath } from '#wire/paths.ts'
import { isReservedName } from '#wire/reserved-names.ts'
import type { ConfinedFolder } from './confined-folder.ts'
import type { CopySource } from './copy-tree.ts'
import type { DiskThreads } from './disk-threads.ts'
import { FIRST_COUNT } from './first-names.ts'
import { FolderNodes, type ListOptions } from './folder-nodes.ts'
import {
  type FolderRecords,
  namesInSteps,
  type OpenFolder,
  pathsIn,
  RecordNode,
  STAT_FIELD_COUNT,
} from './folder-records.ts'
import type { Handle } from './handle.ts'
import type { Node } from './node.ts'
import type { ServerFiles } from './server-files.ts'

/** How links are resolved, and which files belong to the server. */
export interface ListingView {
  confined: ConfinedFolder
  serverFiles: ServerFiles
}

/**
 * @returns the nodes that a listing shows
 * @throws system errors
 */
export async function childrenOf(
  folder: OpenFolder,
  view: ListingView & { threads: DiskThreads },
  { early, names }: ListOptions,
): Promise<FolderNodes> {
  let first: Promise<void> | undefined
  const resolved: LinkNodes = new Map()
  const onFirst = (records: FolderRecords, total: number) => {
    const pass = (nodes: FolderNodes) => early?.onFirst(nodes.foldersFirst(FIRST_COUNT), total)
    // An error of the first nodes is one of all nodes too.
    first = nodesOf(folder, records, { ...view, resolved }).then(pass, () => undefined)
  }
  const records = await view.threads.list(folder.handle, {
    early: early && { ...early, onFirst },
    names,
  })
  // The caller closes the folder, which the first nodes need.
  await first
  return nodesOf(folder, records, { ...view, resolved })
}

/** The nodes of links, which are resolved once for the first nodes and all nodes; undefined: it is not shown. */
type LinkNodes = Map<TreePath, Node | undefined>

async function nodesOf(
  folder: OpenFolder,
  records: FolderRecords,
  view: ListingView & { resolved: LinkNodes },
): Promise<FolderNodes> {
  const names = await runInSlices(namesInSteps(records))
  const nodeOf = nodesIn(folder, records)
  /** Key: the position of a link; value: its node. */
  const links = new Map<number, Node>()
  const shown: number[] = []
  await runInSlices(selectShown(names, nodeOf, { ...view, folder, links, shown }))
  return new FolderNodes(names, (name, index) => links.get(index) ?? nodeOf(name, index), shown)
}

interface Selection extends ListingView {
  folder: OpenFolder
  resolved: LinkNodes
  /** Receives the nodes of links. */
  links: Map<number, Node>
  /** Receives the positions of the names that are shown. */
  shown: number[]
}

function* selectShown(
  names: readonly string[],
  nodeOf: (name: string, index: number) => RecordNode,
  { folder, confined, serverFiles, resolved, links, shown }: Selection,
): Generator<void, void> {
  const isOwn = serverFiles.listedIn(folder.handle)
  for (const [index, name] of names.entries()) {
    yield
    if (isReservedName(name)) continue
    const node = nodeOf(name, index)
    if (isOwn(name, node.ino)) continue
    if (node.kind === 'danglingLink') {
      if (!resolved.has(node.path)) resolved.set(node.path, linkNodeAt(confined, node.path))
      const link = resolved.get(node.path)
      if (!link) continue
      links.set(index, link)
    }
    shown.push(index)
  }
}

/** Nodes of a folder are kept up to this number of entries; those of larger folders are made on each access. */
const KEPT_NODES_MAX = 20_000

/** @returns a function that makes the node of a name from its record */
function nodesIn(
  { path, real, foldsCase }: OpenFolder,
  records: FolderRecords,
): (name: string, index: number) => RecordNode {
  const pathOf = pathsIn(path)
  const realOf = real === path ? undefined : pathsIn(real)
  const make = (name: string, index: number) => {
    const nodePath = pathOf(name)
    return new RecordNode(nodePath, realOf?.(name) ?? nodePath, foldsCase, records, index)
  }
  if (records.numbers.length > KEPT_NODES_MAX * STAT_FIELD_COUNT) return make
  const kept: RecordNode[] = []
  return (name, index) => {
    kept[index] ??= make(name, index)
    return kept[index]
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
