/** What a job would do, looked at before it exists. Nothing is changed. */
import { createHash } from 'node:crypto'
import type { Scope } from '#server/access/scope.ts'
import type { Node } from '#server/storage/node.ts'
import { Fault, type FaultCode, isFault } from '#wire/fault.ts'
import type { Decision, JobKind, JobPlan, PlannedItem } from '#wire/jobs.ts'
import { LIMITS } from '#wire/limits.ts'
import { childPath, nameOf, parentPath, ROOT, type TreePath } from '#wire/paths.ts'
import { type Counted, Counter, find } from './counter.ts'
import type { LookedAt } from './looked-at.ts'
import { gather } from './plan-archive.ts'
import { type LookedInto, lookInto } from './plan-extract.ts'
import { gatherSums } from './plan-sums.ts'
import { yielding } from './yielding.ts'

export interface PlanRequest {
  kind: JobKind
  items: readonly { path: TreePath; decision: Decision }[]
  /** The folder that things go to. */
  to: TreePath | undefined
}

export interface MadePlan {
  shown: JobPlan
  items: LookedAt[]
}

/** @throws Fault badRequest, and what ends the request */
export async function makePlan(scope: Scope, request: PlanRequest): Promise<MadePlan> {
  const { kind, to } = request
  if (kind === 'extract') return planExtraction(scope, request)
  if (kind === 'archive') return planArchive(scope, request)
  if (kind === 'sums' || kind === 'verify') return planSums(scope, request, kind)
  const hash = createHash('sha256').update(JSON.stringify([kind, to]))
  const total: Counted = { files: 0, folders: 0, bytes: 0, replaced: 0 }
  const counter = new Counter(scope, kind === 'copy')
  const items: LookedAt[] = []
  let [isInstant, moved] = [true, 0]
  for await (const { path, decision } of yielding(request.items)) {
    const item = await look(scope, request, { path, decision })
    items.push(item)
    const node = item.fault === '' ? await scope.stat(path).catch(() => undefined) : undefined
    const isLeftOut = item.fault !== '' || (item.taken && decision === 'skip')
    if (node) {
      const merged = item.taken && item.isDir && item.to !== '' ? (item.to as TreePath) : undefined
      const counted = await counter.count(node, merged)
      item.files = counted.files + counted.folders
      item.bytes = counted.bytes
      const isNear = kind !== 'copy' && (await isOneRename(scope, item))
      if (!isLeftOut) {
        for (const key of COUNTED) total[key] += counted[key]
        if (!isNear) [isInstant, moved] = [false, moved + counted.bytes]
      }
      hash.update(JSON.stringify([counted, isNear, node.isLink, versionOf(node)]))
    }
    hash.update(JSON.stringify([path, item.to, item.taken, item.fault]))
  }
  const free = to === undefined ? 0 : await freeAt(scope, to)
  const shown: JobPlan = {
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
    freeAfter: free - moved,
    items: items
      .filter(({ taken, fault }) => taken || fault !== '')
      .slice(0, LIMITS.planItemsShown)
      .map(shownItem),
  }
  return { shown, items }
}

function shownItem({ decision: _, fault: __, ...item }: LookedAt): PlannedItem {
  return item
}

/** Nobody knows how large an archive becomes: no larger than what goes into it. */
async function planArchive(
  scope: Scope,
  { items: asked, to = ROOT }: PlanRequest,
): Promise<MadePlan> {
  const { items, total, isPartial, version } = await gather(scope, asked, to)
  const hash = createHash('sha256').update(JSON.stringify(['archive', to, version]))
  for (const { path } of items) hash.update(JSON.stringify(path))
  const refused = items.filter(({ fault }) => fault !== '')
  const free = await freeAt(scope, parentPath(to))
  const shown: JobPlan = {
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
    items: refused.slice(0, LIMITS.planItemsShown).map(shownItem),
  }
  return { shown, items }
}

/** All in the folders is read, and little or nothing is written. */
async function planSums(
  scope: Scope,
  { items: asked }: PlanRequest,
  kind: 'sums' | 'verify',
): Promise<MadePlan> {
  const { items, total, isPartial, version } = await gatherSums(scope, asked, kind === 'sums')
  const hash = createHash('sha256').update(JSON.stringify([kind, version]))
  for (const { path } of items) hash.update(JSON.stringify(path))
  const named = items.filter(({ taken, fault }) => taken || fault !== '')
  const shown: JobPlan = {
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
    items: named.slice(0, LIMITS.planItemsShown).map(shownItem),
  }
  return { shown, items }
}

/** Archives are looked into: their entries are counted, and those shown that are taken or refused. */
async function planExtraction(scope: Scope, { items, to = ROOT }: PlanRequest): Promise<MadePlan> {
  const looks: LookedInto[] = []
  for await (const item of yielding(items)) looks.push(await lookInto(scope, item, to))
  const hash = createHash('sha256').update(JSON.stringify(['extract', to]))
  for (const { whole, digest } of looks)
    hash.update(JSON.stringify([whole.path, digest, whole.fault]))
  const sum = (of: (look: LookedInto) => number) => looks.reduce((all, look) => all + of(look), 0)
  const wholes = looks.map(({ whole }) => whole)
  const bytes = sum(({ whole }) => whole.bytes)
  const folders = sum((look) => look.folders)
  const files = sum(({ whole }) => whole.files) - folders
  const isPartial = looks.some((look) => look.isPartial)
  const free = await freeAt(scope, to)
  const total = { files, folders, bytes, replaced: 0 }
  const named = [
    ...wholes.filter(({ fault }) => fault !== ''),
    ...looks.flatMap((look) => look.entries),
  ]
  const shown: JobPlan = {
    tag: hash.digest('base64url'),
    kind: 'extract',
    to,
    ...total,
    isPartial,
    isLarge: isLarge(total, isPartial),
    isInstant: false,
    taken: sum((look) => look.taken),
    refused: sum(({ whole, refused }) => refused + (whole.fault === '' ? 0 : 1)),
    free,
    freeAfter: free - bytes,
    items: named.slice(0, LIMITS.planItemsShown).map(shownItem),
  }
  return { shown, items: wholes }
}

const COUNTED = ['files', 'folders', 'bytes', 'replaced'] as const

function isLarge({ files, folders, bytes }: Counted, isPartial: boolean): boolean {
  return isPartial || files + folders > LIMITS.jobEntries || bytes > LIMITS.jobBytes
}

/** One thing: whether it would be refused, and whether its name is taken. */
async function look(
  scope: Scope,
  { kind, to: folder }: PlanRequest,
  { path, decision }: { path: TreePath; decision: Decision },
): Promise<LookedAt> {
  const to = folder === undefined ? '' : childPath(folder, nameOf(path))
  const item = {
    path,
    part: '',
    to,
    isDir: false,
    files: 0,
    bytes: 0,
    taken: false,
    problem: '',
    fault: '',
  }
  try {
    if (to === '') await scope.plan.checkRemoval(path)
    // A copy into its own folder gets another name.
    else if (to === path && decision !== 'keepBoth') throw sameName()
    else if (to !== path) {
      await scope.plan.checkTransfer(kind === 'copy' ? 'copy' : 'rename', path, to)
    }
    const isDir = (await find(scope, path))?.kind === 'folder'
    const taken = to !== '' && (await find(scope, to)) !== undefined
    if (taken && decision === 'replace' && !scope.may('overwrite')) {
      throw new Fault('forbidden', 'You do not have permission to do this.')
    }
    return { ...item, decision, isDir, taken }
  } catch (error) {
    if (!(error instanceof Fault) || ENDS_PLAN.includes(error.code)) throw error
    return { ...item, decision, problem: error.message, fault: error.code }
  }
}

const ENDS_PLAN: readonly FaultCode[] = ['internal', 'unauthenticated']

function sameName(): Fault {
  return new Fault('conflict', 'Source and destination are the same.')
}

async function isOneRename(scope: Scope, { path, to }: PlannedItem): Promise<boolean> {
  return to === '' || scope.plan.isNear(path as TreePath, to as TreePath).catch(() => false)
}

/** A folder is told by its names and not by its times: those change with what is in it. */
function versionOf({ kind, identity, version }: Node): string {
  return kind === 'folder' ? identity : version
}

async function freeAt(scope: Scope, folder: TreePath): Promise<number> {
  for (let at = folder; ; at = parentPath(at)) {
    try {
      const { total, used } = await scope.usage(at)
      return total - used
    } catch (error) {
      if (at === ROOT || !isFault(error, 'notFound')) throw error
    }
  }
}
