/** Plans a job before it exists: counts files and finds name conflicts. It changes nothing. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope/scope.ts'
import type { Node } from '#server/storage/node.ts'
import type { JobPlan } from '#wire/api/jobs.ts'
import { Fault, type FaultCode, faultHeader, isFault } from '#wire/fault.ts'
import { LIMITS } from '#wire/limits.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { yielding } from '../context/yielding.ts'
import { collectArchiveItems } from './plan-archive.ts'
import { type PlanEntry, shownItems } from './plan-entry.ts'
import { type ArchivePlan, inspectArchive } from './plan-extract.ts'
import { planUrlImport } from './plan-import.ts'
import type { PlanRequest, PlanWithItems } from './plan-request.ts'
import { collectChecksumFolders } from './plan-sums.ts'
import { statIfExists, type TreeCount, TreeCounter } from './tree-counter.ts'

/** @throws Fault badRequest, and faults that end the request */
export async function makePlan(scope: Scope, request: PlanRequest): Promise<PlanWithItems> {
  const { kind, to } = request
  if (kind === 'extract') return planExtraction(scope, request)
  if (kind === 'import')
    return planUrlImport(scope, request, (folder) => freeBytesAt(scope, folder))
  if (kind === 'archive') return planArchive(scope, request)
  if (kind === 'sums' || kind === 'verify') return planSums(scope, request, kind)
  const hash = createHash('sha256').update(JSON.stringify([kind, to]))
  const total: TreeCount = { files: 0, folders: 0, bytes: 0, replaced: 0 }
  const counter = new TreeCounter(scope, kind === 'copy')
  const items: PlanEntry[] = []
  let [isInstant, copiedBytes] = [true, 0]
  for await (const { path, decision, name } of yielding(request.items)) {
    const item = await planItem(scope, request, { path, decision, name })
    items.push(item)
    const node = item.fault === '' ? await scope.stat(path).catch(() => undefined) : undefined
    const isLeftOut = item.fault !== '' || (item.taken && decision === 'skip')
    if (node) {
      const merged = item.taken && item.isDir && item.to !== '' ? item.to : undefined
      const counted = await counter.count(node, merged)
      item.files = counted.files + counted.folders
      item.bytes = counted.bytes
      const isRename = kind !== 'copy' && (await isSameFileSystem(scope, item))
      if (!isLeftOut) {
        for (const key of COUNT_KEYS) total[key] += counted[key]
        if (!isRename) [isInstant, copiedBytes] = [false, copiedBytes + counted.bytes]
      }
      hash.update(JSON.stringify([counted, isRename, node.isLink, versionOf(node)]))
    }
    hash.update(JSON.stringify([path, item.to, item.taken, item.fault]))
  }
  const free = to === undefined ? 0 : await freeBytesAt(scope, to)
  const plan: JobPlan = {
    tag: hash.digest('base64url'),
    kind,
    to: to ?? '',
    files: total.files,
    folders: total.folders,
    bytes: total.bytes,
    isPartial: counter.isPartial,
    isLarge: isLarge(total, counter.isPartial),
    isInstant,
    taken: items.filter(({ taken }) => taken).length,
    replaced: total.replaced,
    refused: items.filter(({ fault }) => fault !== '').length,
    free,
    freeAfter: free - copiedBytes,
    items: shownItems(items.filter(({ taken, fault }) => taken || fault !== '')),
  }
  return { plan, items }
}

/** The size of the archive is not known yet, so `freeAfter` assumes the size of its files. */
async function planArchive(
  scope: Scope,
  { items: requested, to = ROOT }: PlanRequest,
): Promise<PlanWithItems> {
  const { items, total, isPartial, version } = await collectArchiveItems(scope, requested, to)
  const hash = createHash('sha256').update(JSON.stringify(['archive', to, version]))
  for (const { path } of items) hash.update(JSON.stringify(path))
  const refused = items.filter(({ fault }) => fault !== '')
  const free = await freeBytesAt(scope, parentPath(to))
  const plan: JobPlan = {
    tag: hash.digest('base64url'),
    kind: 'archive',
    to,
    ...total,
    isPartial,
    isLarge: isLarge(total, isPartial),
    isInstant: false,
    taken: items.some(({ taken }) => taken) ? 1 : 0,
    refused: refused.length,
    free,
    freeAfter: free - total.bytes,
    items: shownItems(refused),
  }
  return { plan, items }
}

/** The job reads all files and writes only the list, so free space does not matter. */
async function planSums(
  scope: Scope,
  { items: requested }: PlanRequest,
  kind: 'sums' | 'verify',
): Promise<PlanWithItems> {
  const { items, total, isPartial, version } = await collectChecksumFolders(
    scope,
    requested,
    kind === 'sums',
  )
  const hash = createHash('sha256').update(JSON.stringify([kind, version]))
  for (const { path } of items) hash.update(JSON.stringify(path))
  const listed = items.filter(({ taken, fault }) => taken || fault !== '')
  const plan: JobPlan = {
    tag: hash.digest('base64url'),
    kind,
    to: '',
    ...total,
    isPartial,
    isLarge: isLarge(total, isPartial),
    isInstant: false,
    taken: items.filter(({ taken }) => taken).length,
    refused: items.filter(({ fault }) => fault !== '').length,
    free: 0,
    freeAfter: 0,
    items: shownItems(listed),
  }
  return { plan, items }
}

/** Reads the archives, counts their entries and lists the first ones that are refused or whose name is taken. */
async function planExtraction(
  scope: Scope,
  { items, to = ROOT, encoding }: PlanRequest,
): Promise<PlanWithItems> {
  const archives: ArchivePlan[] = []
  for await (const item of yielding(items))
    archives.push(await inspectArchive(scope, item, to, encoding))
  const hash = createHash('sha256').update(JSON.stringify(['extract', to]))
  for (const { item, digest } of archives)
    hash.update(JSON.stringify([item.path, digest, item.fault]))
  const sum = (of: (archive: ArchivePlan) => number) =>
    archives.reduce((all, archive) => all + of(archive), 0)
  const archiveItems = archives.map(({ item }) => item)
  const bytes = sum(({ item }) => item.bytes)
  const folders = sum((archive) => archive.folders)
  const files = sum((archive) => archive.files)
  const isPartial = archives.some((archive) => archive.isPartial)
  const free = await freeBytesAt(scope, to)
  const total = { files, folders, bytes, replaced: 0 }
  const listed = [
    ...archiveItems.filter(({ fault }) => fault !== ''),
    ...archives.flatMap(({ refusedEntries, takenEntries }) => [...refusedEntries, ...takenEntries]),
  ]
  const plan: JobPlan = {
    tag: hash.digest('base64url'),
    kind: 'extract',
    to,
    ...total,
    isPartial,
    isLarge: isLarge(total, isPartial),
    isInstant: false,
    taken: sum((archive) => archive.taken),
    refused: sum(({ item, refused }) => refused + (item.fault === '' ? 0 : 1)),
    free,
    freeAfter: free - bytes,
    items: shownItems(listed),
  }
  return { plan, items: archiveItems }
}

const COUNT_KEYS = ['files', 'folders', 'bytes', 'replaced'] as const

function isLarge({ files, folders, bytes }: TreeCount, isPartial: boolean): boolean {
  return isPartial || files + folders > LIMITS.jobEntries || bytes > LIMITS.jobBytes
}

/** @returns the item, with the reason if it is refused, and whether its name is taken */
async function planItem(
  scope: Scope,
  { kind, to: folder }: PlanRequest,
  { path, decision, name = nameOf(path) }: PlanRequest['items'][number],
): Promise<PlanEntry> {
  const to = folder === undefined ? '' : childPath(folder, name)
  const item: PlanEntry = {
    path,
    part: '',
    to,
    decision,
    isDir: false,
    files: 0,
    bytes: 0,
    taken: false,
    problem: '',
    fault: '',
  }
  try {
    if (to === '') await scope.checks.checkRemoval(path, decision === 'onlyToTrash')
    // A copy into its own folder gets a numbered name.
    else if (to === path && decision !== 'keepBoth') throw sameName()
    else if (to !== path) {
      await scope.checks.checkTransfer(kind === 'copy' ? 'copy' : 'rename', path, to)
    }
    const isDir = (await statIfExists(scope, path))?.kind === 'folder'
    const taken = to !== '' && (await statIfExists(scope, to)) !== undefined
    if (taken && decision === 'replace' && !scope.may('overwrite')) {
      throw new Fault('forbidden', 'You do not have permission to do this.')
    }
    return { ...item, isDir, taken }
  } catch (error) {
    if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
    return { ...item, problem: error.message, fault: faultHeader(error) }
  }
}

/** Faults that end the request; others are part of the plan. */
const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

function sameName(): Fault {
  return new Fault('conflict', 'Source and destination are the same.', {
    reason: 'sameDestination',
  })
}

async function isSameFileSystem(scope: Scope, { path, to }: PlanEntry): Promise<boolean> {
  return to === '' || scope.checks.isSameVolume(path, to).catch(() => false)
}

/** A folder is identified by its inode, because its times change with its content. */
function versionOf({ kind, identity, version }: Node): string {
  return kind === 'folder' ? identity : version
}

/** The bytes that can be written in a folder, or in its nearest existing ancestor. */
async function freeBytesAt(scope: Scope, folder: TreePath): Promise<number> {
  for (let ancestor = folder; ; ancestor = parentPath(ancestor)) {
    try {
      return (await scope.usage(ancestor)).free
    } catch (error) {
      if (ancestor === ROOT || !isFault(error, 'notFound')) throw error
    }
  }
}
