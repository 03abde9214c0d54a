/** The entries of a folder for a listing or a copy, without the server's own files. */

import { lstatSync } from 'node:fs'
import { runInSlices } from '#server/lib/slices.ts'
import { O_PATH } from '#server/os/flags.ts'
import { FolderNodes, type LeftOutNode, type ListOptions } from '#server/storage/folder-nodes.ts'
import type { Node } from '#server/storage/node.ts'
import { isFault } from '#wire/fault.ts'
import type { TreePath } from '#wire/paths.ts'
import { isPrivateName, isReservedName } from '#wire/reserved-names.ts'
import type { ConfinedFolder } from '../confine/confined-folder.ts'
import type { ServerFiles } from '../confine/server-files.ts'
import { type CopySource, linkTextAt } from '../copy/copy-tree.ts'
import type { Slot } from '../handles/atomic.ts'
import type { Handle } from '../handles/handle.ts'
import type { DiskThreads } from '../read/disk-threads.ts'
import { FIRST_COUNT } from '../read/first-names.ts'
import {
  type FolderRecords,
  namesInSteps,
  type OpenFolder,
  pathsIn,
  RecordNode,
  STAT_FIELD_COUNT,
} from '../read/folder-records.ts'

/** How links are resolved, and which files belong to the server. */
export interface ListingView {
  confined: ConfinedFolder
  serverFiles: ServerFiles
}

/** What a folder shows of other file systems, which the thread that lists it must not touch. */
export interface OtherNodes {
  /** The names of the mount points in a folder. */
  namesIn(folder: Handle): string[]
  /**
   * The object that a path leads to; undefined if it is on the root's file system.
   *
   * @returns `refused`: a link that is not shown; `silent`: its file system does not answer
   */
  nodeAt(path: TreePath): Promise<Node | 'refused' | 'silent'> | undefined
}

/**
 * @returns the nodes that a listing shows
 * @throws system errors
 */
export async function childrenOf(
  folder: OpenFolder,
  view: ListingView & { threads: DiskThreads },
  { early, names, others }: LocalListOptions,
): Promise<FolderNodes> {
  const mounts = others?.namesIn(folder.handle) ?? []
  const elsewhere = others && { others, mounts }
  let first: Promise<void> | undefined
  const resolved: LinkNodes = new Map()
  const onFirst = (records: FolderRecords, total: number) => {
    const pass = (nodes: FolderNodes) => early?.onFirst(nodes.foldersFirst(FIRST_COUNT), total)
    // An error of the first nodes is one of all nodes too.
    first = nodesOf(folder, records, { ...view, resolved, elsewhere }).then(pass, () => undefined)
  }
  const records = await view.threads.list(folder.handle, {
    early: early && { ...early, onFirst },
    names,
    mounts,
  })
  // The caller closes the folder, which the first nodes need.
  await first
  return nodesOf(folder, records, { ...view, resolved, elsewhere })
}

export interface LocalListOptions extends ListOptions {
  others?: OtherNodes | undefined
}

interface Elsewhere {
  others: OtherNodes
  /** Names of the mount points in the folder. */
  mounts: readonly string[]
}

/** The nodes of links, which are resolved once for the first nodes and all nodes. */
type LinkNodes = Map<TreePath, LinkNode>

/** `outside`: the link cannot be followed, and is not shown; undefined: the user may not see its target. */
type LinkNode = Node | 'outside' | undefined

async function nodesOf(
  folder: OpenFolder,
  records: FolderRecords,
  view: ListingView & { resolved: LinkNodes; elsewhere: Elsewhere | undefined },
): Promise<FolderNodes> {
  const names = await runInSlices(namesInSteps(records))
  const nodeOf = nodesIn(folder, records)
  /** Key: the position of a link; value: its node. */
  const links = new Map<number, Node>()
  if (view.elsewhere) await resolveElsewhere(names, nodeOf, { ...view.elsewhere, ...view, links })
  const shown: number[] = []
  const leftOut: LeftOutNode[] = []
  await runInSlices(selectShown(names, nodeOf, { ...view, folder, links, shown, leftOut }))
  const make = (name: string, index: number) => links.get(index) ?? nodeOf(name, index)
  return new FolderNodes(names, make, shown, leftOut)
}

/** Finds the objects of mount points, and of links to other file systems. */
async function resolveElsewhere(
  names: readonly string[],
  nodeOf: (name: string, index: number) => RecordNode,
  { others, mounts, resolved, links }: Elsewhere & Pick<Selection, 'resolved' | 'links'>,
): Promise<void> {
  const pending = names.map(async (name, index) => {
    const node = nodeOf(name, index)
    const isLink = node.kind === 'danglingLink'
    if (!isLink && !mounts.includes(name)) return
    if (isLink && resolved.has(node.path)) return
    const found = await others.nodeAt(node.path)
    if (found === undefined) return
    const isNode = typeof found === 'object'
    if (!isLink && isNode) links.set(index, found)
    if (isLink) resolved.set(node.path, isNode ? found : linkOf(node, found))
  })
  await Promise.all(pending)
}

/** @returns the link itself, if what it leads to is not known */
function linkOf(link: RecordNode, found: 'refused' | 'silent'): Node | undefined {
  if (found === 'refused') return undefined
  const { path, real, kind, sizeBytes, modifiedMs, mode, version, identity, foldsCase } = link
  return {
    path,
    real,
    kind,
    isLink: true,
    sizeBytes,
    modifiedMs,
    mode,
    version,
    identity,
    foldsCase,
  }
}

interface Selection extends ListingView {
  folder: OpenFolder
  resolved: LinkNodes
  /** Receives the nodes of links. */
  links: Map<number, Node>
  /** Receives the positions of the names that are shown. */
  shown: number[]
  /** Receives the nodes that are not shown, except files of the server. */
  leftOut: LeftOutNode[]
}

function* selectShown(
  names: readonly string[],
  nodeOf: (name: string, index: number) => RecordNode,
  { folder, confined, serverFiles, resolved, links, shown, leftOut }: Selection,
): Generator<void, void> {
  const isOwn = serverFiles.listedIn(folder.handle)
  for (const [index, name] of names.entries()) {
    yield
    if (isPrivateName(name)) continue
    const node = nodeOf(name, index)
    if (isOwn(name, node.ino)) continue
    if (isReservedName(name)) {
      leftOut.push({ node, reason: 'reserved' })
      continue
    }
    if (node.kind === 'danglingLink') {
      if (!resolved.has(node.path)) resolved.set(node.path, linkNodeAt(confined, node.path))
      const link = resolved.get(node.path)
      if (link === 'outside') leftOut.push({ node, reason: 'link' })
      if (typeof link !== 'object') continue
      links.set(index, link)
    }
    shown.push(index)
  }
}

/** Nodes of a folder are kept up to this number of entries; those of larger folders are made on each access. */
const KEPT_NODES_MAX = 20_000

/** @returns a function that makes the node of a name from its record */
export function nodesIn(
  { path, real, foldsCase }: Pick<OpenFolder, 'path' | 'real' | 'foldsCase'>,
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

/**
 * @param view.beforeLink called before a link is followed
 * @returns the source for a copy of `name`, with links followed. A link that cannot be followed is copied as a link;
 *   undefined for a name of the server, and for a link whose target the user may not see.
 * @throws what `beforeLink` throws
 */
export function copySourceAt(
  folder: Handle,
  name: string,
  { confined, serverFiles, beforeLink }: ListingView & { beforeLink(link: Slot): void },
): CopySource | undefined {
  const stats = lstatSync(folder.at(name), { throwIfNoEntry: false })
  if (!stats || serverFiles.listedIn(folder)(name, stats.ino)) return undefined
  const isLink = stats.isSymbolicLink()
  if (!isLink) return { object: folder.child(name, O_PATH), isLink }
  beforeLink({ parent: folder, name })
  const path = confined.nameOf({ parent: folder, name })
  try {
    return { object: confined.open(path), isLink }
  } catch (error) {
    return isDenied(error) ? undefined : { text: linkTextAt(folder, name) }
  }
}

/** The node of a link for a listing. */
export function linkNodeAt(confined: ConfinedFolder, path: TreePath): LinkNode {
  try {
    return confined.node(path)
  } catch (error) {
    return isDenied(error) ? undefined : 'outside'
  }
}

/** Whether the user may not see the target of a link. It is outside if the system does not resolve the link. */
function isDenied(error: unknown): boolean {
  return isFault(error) && error.code !== 'outside'
}
